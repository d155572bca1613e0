import { about, section } from '../report/about.mjs';
import { atLeast, atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [
  atMost(100, 'a hold placed over all waiting tasks after, median, ms', ({ placing }) => placing.median),
  atLeast(0.8, 'claims by 500 with holds in force : without', ({ claims }) => claims.bulk.ratio),
  atLeast(0.8, 'claims one by one with holds in force : without', ({ claims }) => claims.single.ratio),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, waiting, holds, result: { placing, claims }, goals }) {
  const rows = [
    [`a hold over ${number(waiting)} waiting tasks: placed after, median, ms`, placing.median.toFixed(1)],
    ['the longest, ms', placing.longest.toFixed(1)],
    ...rowsOf('by 500', holds, claims.bulk),
    ...rowsOf('one by one', holds, claims.single),
  ];
  return [
    ...about(machine, postgres),
    section('Holds', table(['', 'result'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}

const rowsOf = (how, holds, { without, with: inForce, ratios }) => [
  [`tasks claimed per second, ${how}, without a hold`, number(without)],
  [`with ${number(holds)} holds in force that match none of them`, number(inForce)],
  ['the ratios of the pairs', ratios.map((ratio) => ratio.toFixed(2)).join(', ')],
];
