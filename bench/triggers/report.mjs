import { about, section } from '../report/about.mjs';
import { atLeast, atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [
  atMost(1, 'the triggers, percent of one core', ({ triggers }) => triggers),
  atLeast(300_000, 'events of the past a second, of which few are of the type', ({ past }) => past.failed.perSecond),
  atLeast(
    300_000,
    'events of the past a second, of which few are in the queue',
    ({ past }) => past.elsewhere.perSecond,
  ),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, triggers, every, past, result, goals }) {
  const row = (what, { node, server, total }) => [what, ...[node, server, total].map((percent) => percent.toFixed(2))];
  const rows = [
    row('without triggers', result.without),
    row(`with ${number(triggers)} triggers that look every ${every} s`, result.with),
  ];
  const began = ([what, { perSecond, seconds, told }]) => [what, number(told), seconds.toFixed(2), number(perSecond)];
  return [
    ...about(machine, postgres),
    section('Triggers of idle queues, percent of one core', table(['', 'Node', 'Postgres', 'both'], rows)),
    section(
      `Triggers that begin with ${number(past)} events`,
      table(['', 'told', 'seconds', 'events a second'], Object.entries(result.past).map(began)),
    ),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
