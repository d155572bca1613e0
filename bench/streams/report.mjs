import { goalsTable } from '../report/goals.mjs';
import { about, section } from '../report/about.mjs';
import { number, table } from '../report/table.mjs';

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, streams, events, result, goals }) {
  const row = (name, { p50, p99, count }) => [name, number(p50), number(p99), count];
  const rows = result.rounds.flatMap(({ without, readingBack, following }) => [
    row('without streams', without),
    row('while they read the log', readingBack),
    row('while they follow the log', following),
  ]);
  const secondsToCatchUp = Math.max(...result.rounds.map((round) => round.secondsToCatchUp));
  return [
    ...about(machine, postgres),
    '',
    `${streams} streams whose filters match nothing, ${number(events)} events; caught up after at most ${number(secondsToCatchUp)} s`,
    section('Enqueues, ms', table(['', 'p50', 'p99', 'enqueues'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
