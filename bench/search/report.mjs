import { about, section } from '../report/about.mjs';
import { atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [
  atMost(300, 'a first page, or the answer of what is missing, longest, ms', ({ searches }) =>
    Math.max(...searches.map(({ longest }) => longest)),
  ),
  atMost(300, 'the same, median of the slowest search, ms', ({ searches }) =>
    Math.max(...searches.map(({ median }) => median)),
  ),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, tasks, result: { searches }, goals }) {
  const rows = searches.map(({ q, answer, median, longest }) => [`\`${q}\``, answer, number(median), number(longest)]);
  const head = [`first page of ${number(tasks)} tasks`, 'tasks, or refused', 'median, ms', 'longest, ms'];
  return [...about(machine, postgres), section('Search', table(head, rows)), section('Goals', goalsTable(goals))].join(
    '\n',
  );
}
