import { about, section } from '../report/about.mjs';
import { atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [
  atMost(10, 'all tasks retried in one call after, s', ({ postgres }) => postgres.retry.median),
  atMost(10, 'the same with the events in EventStoreDB, s', ({ eventstoredb }) => eventstoredb.retry.median),
  atMost(3, 'a preview of all of them, s', ({ postgres }) => postgres.preview.median),
  atMost(3, 'the same with the events in EventStoreDB, s', ({ eventstoredb }) => eventstoredb.preview.median),
  atMost(3, 'a preview of their undo, s', ({ postgres }) => postgres.undoPreview.median),
  atMost(3, 'the same with the events in EventStoreDB, s', ({ eventstoredb }) => eventstoredb.undoPreview.median),
  atMost(1, 'their undo : the operation', ({ postgres }) => postgres.undo.median / postgres.retry.median),
  atMost(
    1,
    'the same with the events in EventStoreDB',
    ({ eventstoredb: { undo, retry } }) => undo.median / retry.median,
  ),
];

const WORDS = {
  preview: 'preview of the retry of all',
  retry: 'retry of all',
  undoPreview: 'preview of its undo',
  undo: 'its undo',
  abort: 'abort of one that takes the others along',
  alongPreview: 'preview of its undo',
  along: 'its undo',
};

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, store, tasks, result, goals }) {
  const row = (title, { rounds, median }) => [title, median.toFixed(2), rounds.map((one) => one.toFixed(2)).join(', ')];
  const rowsOf = (title, steps) => Object.entries(WORDS).map(([step, words]) => row(`${title}: ${words}`, steps[step]));
  const rows = [...rowsOf('Postgres', result.postgres), ...rowsOf(`EventStoreDB (${store})`, result.eventstoredb)];
  return [
    ...about(machine, postgres),
    section(`${number(tasks)} tasks, s`, table(['events in', 'median', 'rounds'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
