import { goalsTable } from '../report/goals.mjs';
import { about, section } from '../report/about.mjs';
import { number, table } from '../report/table.mjs';

/** Everything for people, as Markdown. */
export function report({ machine, postgres, writers, result: { lag, log, rebuilds }, goals }) {
  const rates = Object.entries(rebuilds).map(([name, rate]) => [name, number(rate)]);
  return [
    ...about(machine, postgres),
    '',
    `Live lag while tasks are worked off: p50 ${number(lag.p50)} ms, p99 ${number(lag.p99)} ms (${lag.samples} looks)`,
    `A reader beside ${writers} writers saw ${number(log.seen)} of ${number(log.written)} events`,
    section('Rebuilds, events/s', table(['model', 'events/s'], rates)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
