import { goalsTable } from '../report/goals.mjs';
import { about, section } from '../report/about.mjs';
import { number, table } from '../report/table.mjs';

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, writers, result: { lag, log, rebuilds }, goals }) {
  const rates = Object.entries(rebuilds).map(([name, rate]) => [name, number(rate)]);
  const lags = Object.entries(lag).map(([name, { p50, p99, looks }]) => [name, number(p50), number(p99), looks]);
  return [
    ...about(machine, postgres),
    '',
    `A reader beside ${writers} writers saw ${number(log.seen)} of ${number(log.written)} events`,
    section('Live lag while tasks are worked off, ms', table(['follower', 'p50', 'p99', 'looks'], lags)),
    section('Rebuilds, events/s', table(['model', 'events/s'], rates)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
