// Transactions of three and of two commands, one after the other: how long each takes, and whether a read after
// it finds what it made.
//   node bench/servers/transactions.mjs SERVICE [--rounds 3]
import { parseArgs } from 'node:util';
import { atMost, judged } from '../report/goals.mjs';
import { callsTo } from './service.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
const call = callsTo(positionals[0]);
const because = { reason: 'bench' };

for (const queue of ['orders', 'mail']) await call('PUT', `/v1/queues/${queue}`);
const rounds = [];
for (let round = 0; round < Number(values.rounds); round++) rounds.push(await take());
const longest = Math.max(...rounds.flatMap(({ three, two }) => [three.ms, two.ms]));
const goals = judged([atMost(500, 'the slowest transaction, ms', () => longest)]);
console.log(JSON.stringify({ rounds, goals }));

async function take() {
  const held = await call('POST', '/v1/queues/orders/tasks');
  await call('POST', '/v1/queues/mail/tasks');
  const [{ taskId, token }] = (await call('POST', '/v1/queues/mail/claims', { worker: 'bench', max: 1 })).body.tasks;
  const three = await transact(
    { operation: 'holdTask', id: held.body.id, body: because },
    { operation: 'enqueueTask', queue: 'orders', body: { payload: { order: 1 } } },
    { operation: 'succeedTask', id: taskId, body: { token } },
  );
  const made = three.body.results[1].id;
  const read = await call('GET', `/v1/tasks/${made}`);
  const two = await transact(
    { operation: 'holdTask', id: made, body: because },
    { operation: 'closeIntake', queue: 'mail', body: because },
  );
  await transact({ operation: 'openIntake', queue: 'mail', body: because });
  return Object.fromEntries(
    Object.entries({ three, read, two }).map(([name, { status, ms }]) => [name, { status, ms }]),
  );
}

function transact(...commands) {
  return call('POST', '/v1/transactions', { commands });
}
