import { about, section } from '../report/about.mjs';
import { atLeast, atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, orDash, table } from '../report/table.mjs';

const GOALS = [
  ...['one after the other', '100 callers', '500 callers'].map((name) =>
    atLeast(0.8, `appends, ${name}: adapter : raw client`, ({ appends }) => appends[name].share),
  ),
  atLeast(0.6, 'whole lives by 100 : what three raw appends per task reach', ({ lives }) => lives.share),
  atMost(3, 'time of an enqueue : time of a raw append, one after the other', ({ lives }) => lives.singleRatio),
  atMost(500, 'longest of 1,000 transactions, ms', ({ transactions }) => transactions.longest),
  atMost(100, 'longest enqueue beside them, ms', ({ transactions }) => transactions.beside),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, store, appends, lives, transactions, goals }) {
  return [
    ...about(machine, postgres),
    `Events on ${store}`,
    section('Appends of one event, a second', appendsTable(appends)),
    section('Whole lives by 100, tasks a second', livesTable(lives)),
    section('Processor time of such a life, µs', costsTable(lives)),
    section(
      'One after the other, a second',
      table(['raw appends', 'enqueues'], [[lives.singleRaw, lives.singleEnqueue].map(number)]),
    ),
    section('Transactions of three commands, ms', transactionsTable(transactions)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}

function appendsTable(appends) {
  const rows = Object.entries(appends).map(([name, { raw, adapter, share }]) => [
    name,
    number(raw),
    number(adapter),
    `${Math.round(share * 100)} %`,
  ]);
  return table(['', 'raw client', 'adapter', 'share'], rows);
}

function livesTable({ enqueue, drain, life, raw }) {
  const head = ['enqueue', 'claim + settle', 'whole life', 'raw appends / 3'];
  return table(head, [[enqueue, drain, life, raw / 3].map(number)]);
}

const transactionsTable = ({ p50, p99, longest, beside }) =>
  table(['median', 'p99', 'longest', 'longest enqueue beside them'], [[p50, p99, longest, beside].map(number)]);

const costsTable = ({ node, postgres, store }) =>
  table(['Node', 'Postgres', 'event store'], [[node, postgres, store].map(orDash)]);
