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
  const { followed, alone, beside, rawRatio, perEvent, rebuild, written } = found;
  const rows = [
    ['the events, as the follower of the index knows them', `${Math.round(followed)} ms`],
    ['rebuild of everything', `${Math.round(rebuild)} ms`],
    ['enqueue alone, beside them', `${alone.enqueue.toFixed(1)}, ${beside.enqueue.toFixed(1)} ms`],
    ['raw append alone, beside them', `${alone.append.toFixed(1)}, ${beside.append.toFixed(1)} ms`],
    ['raw append beside them : alone', rawRatio.toFixed(2)],
    ...['node', 'postgres', 'store'].map((name) => costRow(name, alone[name], beside[name], perEvent[name])),
    ['written in', `${Math.round(written)} s`],
  ];
  return [
    ...about(machine, postgres),
    `Events on ${store}: ${own} own, ${foreign} of others among them, as many after them, ${rate} a second`,
    section('Measured', table(['', ''], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}

const OWNERS = { node: 'all roles', postgres: 'Postgres', store: 'the store' };

function costRow(name, alone, beside, perEvent) {
  const title = `processor time of ${OWNERS[name]} idle, beside them, for each event of others`;
  if (alone === null) return [title, '–'];
  const [idle, busy] = [alone, beside].map((us) => (us / 1_000).toFixed(1));
  return [title, `${idle}, ${busy} ms/s, ${perEvent.toFixed(1)} µs`];
}
