import 'reflect-metadata';
import { startWaybill } from '../../dist/index.js';
import { fill } from '../graph/work.mjs';
import { claimed } from '../holds/measure.mjs';
import { median } from '../measure/quantiles.mjs';

const FEW = 100;
const SINGLES_SHARE = 20;
const FAIR = { fair: { label: 'tenant' } };

/** On one service with all its roles. Calls `say` for every round. */
export async function measureFair(url, { values, tasks, repeat }, say) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  try {
    const rounds = [];
    for (let round = 0; round < repeat; round++) {
      rounds.push(await ratesOf(service.waybill, round, values, tasks));
      say(`round ${round + 1}: ${JSON.stringify(rounds.at(-1))}`);
    }
    return { few: summary(rounds, 'few'), many: summary(rounds, 'many') };
  } finally {
    await service.stop();
  }
}

/** The tasks claimed per second, by 500 and one by one. The queues take turns, because other programs may use the machine. */
async function ratesOf(waybill, round, values, tasks) {
  const kinds = [
    ['plain', {}, FEW],
    ['few', FAIR, FEW],
    ['many', FAIR, values],
  ];
  const rates = {};
  for (const [name, policy, tenants] of round % 2 === 0 ? kinds : kinds.toReversed())
    rates[name] = await claimRates(waybill, waybill.queue(`${name}-${round}`), policy, tenants, tasks);
  return rates;
}

async function claimRates(waybill, queue, policy, tenants, tasks) {
  await queue.define(policy);
  const singles = Math.ceil(tasks / SINGLES_SHARE);
  await fill(queue, Math.max(tasks + singles, tenants), (at) => ({ labels: { tenant: `t${at % tenants}` } }));
  const bulk = tasks / (await claimed(waybill, queue, tasks, 500));
  const single = singles / (await claimed(waybill, queue, singles, 1));
  return { bulk, single };
}

const summary = (rounds, name) => ({
  bulk: median(rounds.map((rates) => rates[name].bulk / rates.plain.bulk)),
  single: median(rounds.map((rates) => rates[name].single / rates.plain.single)),
});
