import { about, section } from '../report/about.mjs';
import { atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [
  atMost(10, 'all tasks retried in one call after, s', ({ postgres }) => postgres.median),
  atMost(10, 'the same with the events in EventStoreDB, s', ({ eventstoredb }) => eventstoredb.median),
  atMost(3, 'a preview of all of them, s', ({ postgres }) => postgres.preview.median),
  atMost(3, 'the same with the events in EventStoreDB, s', ({ eventstoredb }) => eventstoredb.preview.median),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, store, tasks, result, goals }) {
  const row = (title, { rounds, median }) => [title, median.toFixed(2), rounds.map((one) => one.toFixed(2)).join(', ')];
  const rows = [
    row('Postgres', result.postgres),
    row('Postgres, preview', result.postgres.preview),
    row(`EventStoreDB (${store})`, result.eventstoredb),
    row(`EventStoreDB (${store}), preview`, result.eventstoredb.preview),
  ];
  return [
    ...about(machine, postgres),
    section(`${number(tasks)} failed tasks retried in one call, s`, table(['events in', 'median', 'rounds'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
