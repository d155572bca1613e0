import { median } from '../measure/quantiles.mjs';
import { about, section } from '../report/about.mjs';
import { goalsTable } from '../report/goals.mjs';
import { orDash, table } from '../report/table.mjs';
import { rateOf, ratioOf } from './goals.mjs';

const PHASES = ['enqueue', 'drain'];

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, base, rounds, idleSeconds, result, goals }) {
  const { lives, idle, workers } = result;
  return [
    ...about(machine, postgres),
    section(
      `Whole lives over HTTP by four callers, medians of ${rounds} rounds${base ? `, in turn with ${base}` : ''}`,
      table(HEAD, lives.flatMap(rowsOf)),
    ),
    section(
      'One worker with ten handlers at once',
      table(
        ['a handler has', 'of', 'tasks a second', 'µs in the worker', 'µs in the service', 'µs in Postgres'],
        Object.entries(workers).flatMap(rowsOfWorker),
      ),
    ),
    section(`A service with nothing to do, for ${idleSeconds} s`, table(IDLE_HEAD, Object.entries(idle).map(idleRow))),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}

const HEAD = ['tasks', 'batch', 'phase', 'before/s', 'now/s', 'ratio', 'µs in Node', 'µs in Postgres'];
const IDLE_HEAD = ['service', '% of a core', 'transactions a minute'];

const rowsOf = (one) =>
  PHASES.map((phase) => [
    one.kind,
    one.batch,
    phase,
    orDash(rateOf(one, 'before', phase)),
    orDash(rateOf(one, 'now', phase)),
    orDash(ratioOf(one, phase)),
    orDash(costOf(one, phase, 'node')),
    orDash(costOf(one, phase, 'server')),
  ]);

/** One row for each checkout. */
const rowsOfWorker = ([name, rounds]) =>
  Object.keys(rounds[0]).map((which) => [
    name,
    which,
    ...['rate', 'worker', 'node', 'server'].map((what) => orDash(medianOf(rounds.map((round) => round[which][what])))),
  ]);

const medianOf = (numbers) => (numbers.includes(null) ? null : median(numbers));

function costOf({ rounds }, phase, what) {
  return medianOf(rounds.map(({ now }) => now[phase][what]));
}

const idleRow = ([name, cost]) => [name, orDash(cost && cost.shareOfCore * 100), orDash(cost?.transactionsPerMinute)];
