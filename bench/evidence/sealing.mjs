import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createWaybill } from '@waybill/client';
import { fill } from '../graph/work.mjs';
import { median } from '../measure/quantiles.mjs';
import { startService } from '../systems/waybill-service.mjs';

const BATCH = 50;
const LANES = 4;
const LOOK_MS = 500;
/** Services with and without a notary take turns, because a machine is not as fast all the time. */
const TURNS = 3;

/** The largest lag of a seal while tasks are enqueued, claimed and settled, and claims a second beside those without a notary. */
export async function measureSealing(postgres, { seconds }, say) {
  const rates = { sealed: [], unsealed: [] };
  const lags = [];
  for (let turn = 0; turn < TURNS; turn++)
    for (const kind of ['unsealed', 'sealed']) {
      const url = await postgres.database(`${kind}${turn}`);
      const found = await underLoad(url, kind === 'sealed', (seconds * 1_000) / TURNS);
      rates[kind].push(found.rate);
      lags.push(...found.lags);
      say(
        `${kind}: ${Math.round(found.rate)} tasks a second${kind === 'sealed' ? `, at most ${found.lags.at(-1)} s behind` : ''}`,
      );
    }
  return { lag: Math.max(...lags), sealed: median(rates.sealed), unsealed: median(rates.unsealed) };
}

async function underLoad(databaseUrl, isSealed, ms) {
  const notaryDir = await mkdtemp(join(tmpdir(), 'waybill-bench-notary-'));
  const service = await startService(databaseUrl, undefined, isSealed ? { WAYBILL_NOTARY_DIR: notaryDir } : {});
  try {
    const waybill = createWaybill({ url: service.url });
    const queue = waybill.queue('orders');
    await queue.define();
    if (isSealed) await firstSeal(waybill);
    const end = performance.now() + ms;
    let ended = 0;
    const lane = async (at) => {
      while (performance.now() < end) {
        await fill(queue, BATCH);
        const claimed = await queue.claim({ worker: `w${at}`, max: BATCH });
        await waybill.settle(
          claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed', result: null } })),
        );
        ended += claimed.length;
      }
    };
    const looks = isSealed ? lagsUntil(waybill, end) : [];
    await Promise.all(Array.from({ length: LANES }, (_, at) => lane(at)));
    return { rate: (ended * 1_000) / ms, lags: await looks };
  } finally {
    await service.stop();
    await rm(notaryDir, { recursive: true });
  }
}

async function firstSeal(waybill) {
  while ((await waybill.log.get()).seal === null) await pause(LOOK_MS);
}

/** In ascending order, in seconds. */
async function lagsUntil(waybill, end) {
  const lags = [];
  for (; performance.now() < end; await pause(LOOK_MS)) lags.push((await waybill.log.get()).lagSeconds);
  return lags.sort((one, other) => one - other);
}
