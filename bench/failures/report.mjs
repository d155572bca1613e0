import { about, section } from '../report/about.mjs';
import { atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = [
  atMost(200, 'memory that nine tenths of the failures add, MB', ({ memory }) => memory.last - memory.first),
  atMost(300, 'the 50 groups that were seen last, median, ms', ({ lists }) => lists.latest),
  atMost(300, 'the 50 largest groups, median, ms', ({ lists }) => lists.most),
  atMost(300, 'the figures of the metrics, median, ms', ({ lists }) => lists.metrics),
  atMost(0, 'rows that differ once the groups are made anew', ({ rebuild }) => rebuild.differing),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, result, goals }) {
  const { lists, memory, rebuild } = result;
  const rows = [
    ['tasks that failed', number(result.tasks)],
    ['groups', number(result.groups)],
    ['failures counted', number(result.counted)],
    ['until all had failed, s', number(result.seconds)],
    ['of these, until the groups had them, s', number(result.behindSeconds)],
    ['memory of the process after a tenth, MB', number(memory.first)],
    ['at the end, MB', number(memory.last)],
    ['rows of groups on the disk, MB', number(result.megabytes)],
    ['the 50 groups that were seen last, ms', number(lists.latest)],
    ['the 50 largest groups, ms', number(lists.most)],
    ['the figures of the metrics, ms', number(lists.metrics)],
    ['one group, ms', number(lists.group)],
    ['50 failed tasks of a group, ms', number(lists.tasks)],
    ['groups made anew, s', number(rebuild.seconds)],
  ];
  return [
    ...about(machine, postgres),
    section('Groups of failures', table(['', 'result'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
