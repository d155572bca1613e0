import { section } from '../report/about.mjs';
import { number, orDash, table } from '../report/table.mjs';

/** Tasks per second, and the milliseconds that claims waited in each process. */
export function scaleSection(scale) {
  const rows = scale.map(({ name, enqueue, drain, claimers }) => [
    name,
    number(enqueue),
    number(drain),
    claimers.map(({ p50, p99 }) => `${orDash(p50)} / ${orDash(p99)}`).join(', '),
    shares(claimers),
  ]);
  const head = [
    'API processes',
    'enqueued/s',
    'drained/s',
    'wait for a claim in each, p50 / p99 ms',
    'share of each, %',
  ];
  return section('API processes on one queue: no task was overtaken', table(head, rows));
}

function shares(claimers) {
  const all = claimers.reduce((sum, { tasks }) => sum + tasks, 0);
  return claimers.map(({ tasks }) => Math.round((100 * tasks) / all)).join(', ');
}
