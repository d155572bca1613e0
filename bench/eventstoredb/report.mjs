import { about, section } from '../report/about.mjs';
import { atLeast, atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, orDash, table } from '../report/table.mjs';

const GOALS = [
  ...['one after the other', '100 callers', '500 callers'].map((name) =>
    atLeast(0.8, `appends, ${name}: adapter : raw client`, ({ appends }) => appends?.[name].share ?? null),
  ),
  atLeast(0.6, 'whole lives by 100 : what three raw appends per task reach', ({ lives }) => lives?.share ?? null),
  atMost(
    3,
    'time of an enqueue : time of a raw append, one after the other',
    ({ lives }) => lives?.singleRatio ?? null,
  ),
  atMost(500, 'longest transaction, ms', ({ transactions }) => transactions?.transaction.longest ?? null),
  atMost(
    100,
    'longest standstill of the index beside them, ms',
    ({ transactions }) => transactions?.index.longest ?? null,
  ),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown, without what was not measured. */
export function report({ machine, postgres, store, appends, lives, transactions, goals }) {
  return [
    ...about(machine, postgres),
    `Events on ${store}`,
    ...(appends ? [section('Appends of one event, a second', appendsTable(appends))] : []),
    ...(lives ? livesSections(lives) : []),
    ...(transactions ? [transactionsSection(transactions)] : []),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}

const livesSections = (lives) => [
  section('Whole lives by 100, tasks a second', livesTable(lives)),
  section('Processor time of such a life, µs', costsTable(lives)),
  section(
    'One after the other, a second',
    table(['raw appends', 'enqueues'], [[lives.singleRaw, lives.singleEnqueue].map(number)]),
  ),
];

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

function transactionsSection({ transaction, beside, index, unindexed, enqueued, load }) {
  const row = (name, { p50, p99, p999, longest }) => [name, ...[p50, p99, p999, longest].map(number)];
  const rows = [
    row('transaction', transaction),
    row('enqueue into another queue', beside),
    row('standstill of the index', index),
  ];
  const counts = `${enqueued} enqueues, ${unindexed} answers without the index, load ${load.toFixed(1)} at the end`;
  const spread = table(['', 'median', 'p99', 'p99.9', 'longest'], rows);
  return section('Transactions of three commands, ms', `${spread}\n\n${counts}`);
}

const costsTable = ({ node, postgres, store }) =>
  table(['Node', 'Postgres', 'event store'], [[node, postgres, store].map(orDash)]);
