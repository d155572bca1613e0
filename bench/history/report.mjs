import { about, section } from '../report/about.mjs';
import { atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, orDash, table } from '../report/table.mjs';

const GOALS = [
  atMost(2_000, 'counts of a queue at any moment, longest, ms', ({ counts }) => counts.longest),
  atMost(700, 'counts of a queue, median, ms', ({ counts }) => counts.median),
  atMost(2_000, 'a first page of any open state, longest, ms', ({ pages }) => pages.longest),
  atMost(700, 'a first page, median, ms', ({ pages }) => pages.median),
  atMost(16, 'bytes of snapshots an event, on disk', ({ snapshots }) => snapshots.bytesPerEvent),
  atMost(0.005, "snapshots' share of the processor time of a life", ({ snapshots }) => snapshots.share),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, events, open, result: { counts, pages, tasks, snapshots }, goals }) {
  const ms = ({ median, longest }) => `${median.toFixed(1)}, ${longest.toFixed(1)}`;
  const rows = [
    [`counts of a queue, ${number(events)} events, ${number(open)} open tasks: median and longest, ms`, ms(counts)],
    ['a first page of 100 tasks of an open state', ms(pages)],
    ['one task', ms(tasks)],
    ['snapshots', number(snapshots.count)],
    ['bytes of them an event', snapshots.bytesPerEvent.toFixed(2)],
    ['one takes, ms', snapshots.takeMs.toFixed(1)],
    [
      "Postgres's processor time for it, and that of a life, µs",
      `${orDash(snapshots.takeUs)}, ${orDash(snapshots.lifeUs)}`,
    ],
  ];
  return [
    ...about(machine, postgres),
    section('History', table(['', 'result'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
