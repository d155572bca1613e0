import { goalsTable } from '../report/goals.mjs';
import { about, section } from '../report/about.mjs';
import { number, orDash, table } from '../report/table.mjs';

const MB = 2 ** 20;

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, windowSeconds, result, goals }) {
  const { tasks, walBytesPerTask, commitsPerTask, windows, tables } = result;
  return [
    ...about(machine, postgres),
    section(`Windows of ${number(windowSeconds)} s, and processor time a life`, windowsTable(windows)),
    `${number(tasks)} whole lives; each ${number(walBytesPerTask)} bytes of WAL and ${number(commitsPerTask)} transactions`,
    section('Tables at the end', tablesTable(tables)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}

function windowsTable(windows) {
  const rows = windows.map(({ tasksPerSecond, cost, yardstickMs, memoryMB, bytes, deadRows }, at) => [
    at + 1,
    number(tasksPerSecond),
    orDash(cost.service),
    orDash(cost.postgres),
    number(yardstickMs),
    orDash(memoryMB),
    number(bytes / MB),
    number(deadRows),
  ]);
  const head = [
    'window',
    'lives/s',
    'service µs',
    'Postgres µs',
    'yardstick ms',
    'service MB',
    'database MB',
    'dead rows',
  ];
  return table(head, rows);
}

function tablesTable(tables) {
  const rows = tables.map(({ name, bytes, liveRows, deadRows, vacuums }) => [
    name,
    number(bytes / MB),
    number(liveRows),
    number(deadRows),
    number(vacuums),
  ]);
  return table(['table', 'MB', 'live rows', 'dead rows', 'vacuums'], rows);
}
