import { about, section } from '../report/about.mjs';
import { atLeast, atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [
  atLeast(500_000, 'H-39: events a second that verify reads, batches', ({ verify }) => verify.batches),
  atLeast(150_000, 'H-39: events a second that verify reads, single appends', ({ verify }) => verify.singles),
  atMost(10, 'H-40: a seal is behind under load, s', ({ sealing }) => sealing.lag),
  atMost(10, 'an erasure of 1,000 tasks, s', ({ erasing }) => erasing.seconds),
  atMost(50, 'p99 of claims beside it, ms', ({ erasing }) => erasing.claimP99),
  atLeast(0.97, 'H-40: tasks a second, with a notary : without', ({ sealing }) => sealing.sealed / sealing.unsealed),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({
  machine,
  postgres,
  events,
  singles,
  seconds,
  erased,
  result: { verify, sealing, erasing },
  goals,
}) {
  const rows = [
    [`${number(events)} events of batches, events a second`, number(verify.batches)],
    [`${number(singles)} events of single appends`, number(verify.singles)],
    [`tasks a second without a notary, ${number(seconds)} s in all`, number(sealing.unsealed)],
    ['and with one', number(sealing.sealed)],
    ['a seal was at most so many seconds behind', number(sealing.lag)],
    [`an erasure of ${number(erased)} tasks, s`, number(erasing.seconds)],
    ['p99 of claims beside it, ms', number(erasing.claimP99)],
  ];
  return [
    ...about(machine, postgres),
    section('Evidence', table(['', 'result'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
