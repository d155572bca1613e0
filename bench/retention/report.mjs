import { about, section } from '../report/about.mjs';
import { atLeast, atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [
  atLeast(5_000, 'tasks that leave the lists per second, while others are claimed', ({ moving }) => moving.rate),
  atMost(50, 'claims of one task meanwhile, p99, ms', ({ moving }) => moving.claims.p99),
  atMost(1.2, 'a claim of ten, full archive : empty', ({ full, empty }) => full.claims.median / empty.claims.median),
  atMost(1.2, 'a page of a list, full archive : empty', ({ full, empty }) => full.lists.median / empty.lists.median),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, ended, result: { empty, full, preview, quiet, moving }, goals }) {
  const ms = ({ median, p99, longest }) => `${median.toFixed(2)}, ${p99.toFixed(2)}, ${longest.toFixed(2)}`;
  const rows = [
    ['a claim of ten tasks, empty archive: median, p99 and longest, ms', ms(empty.claims)],
    [`with ${number(ended)} archived tasks`, ms(full.claims)],
    ['a page of a list, empty archive', ms(empty.lists)],
    [`with ${number(ended)} archived tasks`, ms(full.lists)],
    [`${number(ended)} tasks previewed, s`, preview.toFixed(2)],
    ['tasks that left the lists per second', number(moving.rate)],
    ['a claim of one task before', ms(quiet)],
    ['and meanwhile', ms(moving.claims)],
  ];
  return [
    ...about(machine, postgres),
    section('Retention', table(['', 'result'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
