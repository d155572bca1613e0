import { about, section } from '../report/about.mjs';
import { atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [atMost(1, 'the triggers, percent of one core', ({ triggers }) => triggers)];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, triggers, every, result, goals }) {
  const row = (what, { node, server, total }) => [what, ...[node, server, total].map((percent) => percent.toFixed(2))];
  const rows = [
    row('without triggers', result.without),
    row(`with ${number(triggers)} triggers that look every ${every} s`, result.with),
  ];
  return [
    ...about(machine, postgres),
    section('Triggers of idle queues, percent of one core', table(['', 'Node', 'Postgres', 'both'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
