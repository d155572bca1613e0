import { about, section } from '../report/about.mjs';
import { atMost, goalsTable, judged } from '../report/goals.mjs';
import { table } from '../report/table.mjs';

const GOALS = [
  atMost(3_000, 'own events among those of others, nothing known of the log, ms', ({ first }) => first),
  atMost(500, 'the same again, ms', ({ again }) => again),
  atMost(500, 'the same after a restart, ms', ({ afterRestart }) => afterRestart),
  atMost(100, 'since a minute ago, ms', ({ since }) => since),
  atMost(100, 'since before the log began, ms', ({ whole }) => whole),
  atMost(5_000, 'ready after as many events of others, ms', ({ restart }) => restart),
  atMost(1.2, 'an enqueue beside another program : alone', ({ ratio }) => ratio),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, store, own, foreign, rate, goals, ...found }) {
  const { followed, enqueue, enqueueBeside, idleMs, busyMs, rebuild, written } = found;
  const rows = [
    ['the events, as the follower of the index knows them', `${Math.round(followed)} ms`],
    ['rebuild of everything', `${Math.round(rebuild)} ms`],
    ['enqueue alone', `${enqueue.toFixed(1)} ms`],
    ['enqueue beside them', `${enqueueBeside.toFixed(1)} ms`],
    ['processor time of all roles, idle', `${idleMs.toFixed(1)} ms/s`],
    ['processor time of all roles beside them', `${busyMs.toFixed(1)} ms/s`],
    ['written in', `${Math.round(written)} s`],
  ];
  return [
    ...about(machine, postgres),
    `Events on ${store}: ${own} own, ${foreign} of others among them, as many after them, ${rate} a second`,
    section('Measured', table(['', ''], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
