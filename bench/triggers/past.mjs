import { setTimeout as pause } from 'node:timers/promises';
import { startWaybill } from '../../dist/index.js';
import { drain, fill } from '../graph/work.mjs';

const EVENTS_OF_LIFE = 3;
/** Tasks that live between two that are looked for. */
const ROUND = 10_000;
const PAST = 'waybill.past-events';
const LOOK_MS = 20;

/** What begins with the past: few events of a type, and few of many of a type because they are in another queue. */
const PATTERNS = {
  failed: { types: ['TaskFailed'], queue: 'rare' },
  elsewhere: { types: ['TaskSucceeded'], queue: 'rare' },
};

/** Events a second that triggers go through which begin with a log of so many, and how many of these they tell. Calls `say` for each part. */
export async function measurePast(url, events, say) {
  const service = await startWaybill({ databaseUrl: url, actor: 'bench' });
  try {
    const { waybill } = service;
    for (const name of ['busy', 'rare', 'told']) await waybill.queue(name).define({ onFailure: 'fail' });
    await write(waybill, Math.ceil(events / EVENTS_OF_LIFE));
    const found = {};
    for (const [name, pattern] of Object.entries(PATTERNS)) {
      found[name] = await began(waybill, name, pattern);
      say(`${name}: ${JSON.stringify(found[name])}`);
    }
    return found;
  } finally {
    await service.stop();
  }
}

async function write(waybill, tasks) {
  const [busy, rare] = ['busy', 'rare'].map((name) => waybill.queue(name));
  for (let left = tasks; left > 0; left -= ROUND) {
    await fill(busy, Math.min(left, ROUND));
    await drain(waybill, busy, Math.min(left, ROUND));
    await rare.enqueueMany([{}, {}]);
    const [fails, succeeds] = await rare.claim({ worker: 'w', max: 2 });
    const error = { message: 'no', class: 'business' };
    await waybill.settle([
      { taskId: fails.taskId, token: fails.token, verdict: { type: 'fail', error } },
      { taskId: succeeds.taskId, token: succeeds.token, verdict: { type: 'succeed', result: null } },
    ]);
  }
}

/** By the time that the task ran which goes through the past for the trigger. */
async function began(waybill, name, pattern) {
  const { position } = await waybill
    .trigger(name)
    .define({ event: { ...pattern, from: 'beginning' }, task: { queue: 'told' } });
  for (;;) {
    for await (const { data } of waybill.events({ type: 'TaskSucceeded', after: position })) {
      const ran = data.ranMs / 1_000;
      if (data.queue === PAST) return { perSecond: Number(position) / ran, seconds: ran, told: data.result.events };
    }
    await pause(LOOK_MS);
  }
}
