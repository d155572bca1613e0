import 'reflect-metadata';
import { startWaybill } from '../../dist/index.js';
import { fill } from '../graph/work.mjs';
import { median } from '../measure/quantiles.mjs';
import { until } from '../measure/until.mjs';

/** The seconds of a preview, and those from the call to the end of the operation, with their medians. Each round has a queue of its own. */
export async function measureRetries(stores, { tasks, repeat }, say) {
  const service = await startWaybill({ ...stores, actor: 'bench' });
  const rounds = [];
  try {
    for (let round = 0; round < repeat; round++) {
      rounds.push(await retryAll(service.waybill, `round-${round}`, tasks));
      say(
        `${tasks} tasks previewed in ${rounds.at(-1).preview.toFixed(2)} s, retried in ${rounds.at(-1).retry.toFixed(2)} s`,
      );
    }
  } finally {
    await service.stop();
  }
  return { preview: measured(rounds.map(({ preview }) => preview)), ...measured(rounds.map(({ retry }) => retry)) };
}

const measured = (rounds) => ({ rounds, median: median(rounds) });

async function retryAll(waybill, name, tasks) {
  const queue = waybill.queue(name);
  await queue.define({ onFailure: 'fail' });
  await fill(queue, tasks);
  await failAll(waybill, queue, tasks);
  const failed = { filter: { queue: name, state: 'failed' } };
  const preview = await secondsOf(() => waybill.operate('retry', failed, { preview: 'decided' }));
  const began = performance.now();
  const { id } = await waybill.operate('retry', failed, { reason: 'bench' });
  await until('the operation to end', async () => (await waybill.task(id).get()).finishedAt !== null);
  const retry = (performance.now() - began) / 1_000;
  const { result } = await waybill.task(id).get();
  if (result?.done !== tasks) throw new Error(`Expected ${tasks} retries, but got ${JSON.stringify(result)}`);
  return { preview, retry };
}

async function secondsOf(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

async function failAll(waybill, queue, tasks) {
  for (let left = tasks; left > 0;) {
    const claimed = await queue.claim({ worker: 'w', max: 500 });
    const verdict = { type: 'fail', error: { message: 'the disk is full' } };
    await waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict })));
    left -= claimed.length;
  }
}
