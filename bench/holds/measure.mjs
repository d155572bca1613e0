import 'reflect-metadata';
import { startWaybill } from '../../dist/index.js';
import { fill, seconds } from '../graph/work.mjs';
import { inLanes } from '../measure/lanes.mjs';
import { median } from '../measure/quantiles.mjs';

/** Both parts on one service with all its roles. Calls `say` for every round. */
export async function measureHolds(url, size, say) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  try {
    const claims = await measureClaims(service.waybill, size, say);
    const placing = await measurePlacing(service.waybill, size, say);
    return { claims, placing };
  } finally {
    await service.stop();
  }
}

const COLLECTION = { collection: 'maps' };

/** The milliseconds until the answer, after which the hold binds every claim. Each round lifts the hold again. */
async function measurePlacing(waybill, { waiting, repeat }, say) {
  const queue = waybill.queue('waiting');
  await queue.define();
  await fill(queue, waiting, { labels: COLLECTION });
  const rounds = [];
  for (let round = 0; round < repeat; round++) {
    rounds.push((await seconds(() => waybill.holds.place('maps', COLLECTION))) * 1_000);
    say(`a hold over ${waiting} waiting tasks placed in ${rounds.at(-1).toFixed(1)} ms`);
    if (round === 0) await expectCaught(waybill, queue, waiting);
    await waybill.holds.lift('maps');
  }
  return { median: median(rounds), longest: Math.max(...rounds) };
}

/** A claim gets nothing and catches a thousand, which proves that the hold is in force. */
async function expectCaught(waybill, queue, waiting) {
  const beside = waybill.queue('beside');
  await beside.define();
  await fill(beside, Math.min(waiting, 10), { labels: COLLECTION });
  const claimed = await beside.claim({ worker: 'w' });
  const { holds } = await waybill.holds.get('maps');
  if (claimed.length > 0 || holds === 0)
    throw new Error(`Expected the hold on '${queue.name}' to catch tasks, but ${claimed.length} were given out`);
}

/**
 * How many tasks are claimed per second, by 500 and one by one, while no hold is in force and while many are. No hold
 * matches the tasks, which have two labels. The two take turns in pairs, because other programs may use the machine.
 */
async function measureClaims(waybill, { holds, tasks, repeat }, say) {
  const rounds = [];
  for (let round = 0; round < repeat; round++) {
    const inTurn = round % 2 === 0 ? [0, holds] : [holds, 0];
    const rates = {};
    for (const inForce of inTurn)
      rates[inForce === 0 ? 'without' : 'with'] = await claimRates(waybill, `${inForce}-${round}`, inForce, tasks);
    rounds.push(rates);
    say(`round ${round + 1}: ${ratioOf(rates, 'bulk').toFixed(3)}, one by one ${ratioOf(rates, 'single').toFixed(3)}`);
  }
  return { bulk: summary(rounds, 'bulk'), single: summary(rounds, 'single') };
}

const ratioOf = (rates, what) => rates.with[what] / rates.without[what];

const summary = (rounds, what) => ({
  without: median(rounds.map(({ without }) => without[what])),
  with: median(rounds.map((rates) => rates.with[what])),
  ratios: rounds.map((rates) => ratioOf(rates, what)),
  ratio: median(rounds.map((rates) => ratioOf(rates, what))),
});

const SINGLES_SHARE = 20;

async function claimRates(waybill, name, inForce, tasks) {
  const queue = waybill.queue(name);
  await queue.define();
  const singles = Math.ceil(tasks / SINGLES_SHARE);
  await fill(queue, tasks + singles, { labels: { collection: 'letters', profile: 'scan' } });
  await setHolds(waybill, inForce, 'place');
  const bulk = tasks / (await claimed(waybill, queue, tasks, 500));
  const single = singles / (await claimed(waybill, queue, singles, 1));
  await setHolds(waybill, inForce, 'lift');
  return { bulk, single };
}

const setHolds = (waybill, count, command) =>
  inLanes(8, count, (at) =>
    command === 'place'
      ? waybill.holds.place(`hold-${at}`, { collection: `collection-${at}` })
      : waybill.holds.lift(`hold-${at}`),
  );

/** The seconds that the claims of these tasks took. They are settled in between, which does not count. */
export async function claimed(waybill, queue, count, max) {
  let took = 0;
  for (let left = count; left > 0;) {
    let given;
    took += await seconds(async () => (given = await queue.claim({ worker: 'w', max: Math.min(max, left) })));
    if (given.length === 0) throw new Error(`Expected ${left} more tasks in '${queue.name}', but got none`);
    const verdict = { type: 'succeed', result: null };
    await waybill.settle(given.map(({ taskId, token }) => ({ taskId, token, verdict })));
    left -= given.length;
  }
  return took;
}
