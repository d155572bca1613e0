// What a user does every few seconds, timed: enqueue, claim, settle, history, the events of a queue and of the last minute.
//   node bench/servers/probe.mjs SERVICE [--rounds 6] [--every 5000]
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from '../measure/quantiles.mjs';
import { atMost, judged } from '../report/goals.mjs';
import { callsTo } from './service.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '6' }, every: { type: 'string', default: '5000' } },
});
const call = callsTo(positionals[0]);
const TASKS = 20;
const CLAIMED = 10;
const middle = (name) => (rounds) => median(rounds.map((round) => round[name].ms));
const GOALS = [
  atMost(500, 'the events of the queue, ms', middle('ofQueue')),
  atMost(100, 'the events of the last minute, ms', middle('since')),
];
const rounds = [];

await call('PUT', '/v1/queues/probe', { policy: { onFailure: 'fail' } });
for (let round = 0; round < Number(values.rounds); round++) {
  if (round > 0) await pause(Number(values.every));
  rounds.push(await look());
}
console.log(JSON.stringify({ rounds, goals: judged(GOALS, rounds) }));

async function look() {
  const enqueued = [];
  for (let n = 0; n < TASKS; n++) enqueued.push(await call('POST', '/v1/queues/probe/tasks', { payload: { n } }));
  const claimed = await call('POST', '/v1/queues/probe/claims', { worker: 'probe', max: CLAIMED });
  const { tasks } = claimed.body;
  const items = tasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } }));
  const since = new Date(Date.now() - 60_000).toISOString();
  const answers = {
    claim: claimed,
    settle: await call('POST', '/v1/settlements', { items }),
    history: await call('GET', `/v1/tasks/${tasks[0].taskId}/history`),
    events: await call('GET', '/v1/events?limit=20'),
    ofQueue: await call('GET', '/v1/events?queue=probe&limit=1000'),
    since: await call('GET', `/v1/events?since=${since}&limit=20`),
  };
  const times = Object.entries(answers).map(([name, { status, ms, lines }]) => [name, { status, ms, lines }]);
  const enqueue = {
    statuses: [...new Set(enqueued.map(({ status }) => status))],
    ms: median(enqueued.map(({ ms }) => ms)),
  };
  return { enqueue, ...Object.fromEntries(times) };
}
