import 'reflect-metadata';
import { startWaybill } from '../../dist/index.js';
import { fill } from '../graph/work.mjs';
import { median } from '../measure/quantiles.mjs';
import { until } from '../measure/until.mjs';

const STEPS = ['preview', 'retry', 'undoPreview', 'undo', 'abort', 'alongPreview', 'along'];

/**
 * The seconds of previews, and those from the call to the end of the operation, with their medians: all tasks are retried, and that is undone;
 * then one is aborted for which all others wait, and that is undone. Each round has queues of its own.
 */
export async function measureOperations(stores, { tasks, repeat }, say) {
  const service = await startWaybill({ ...stores, actor: 'bench' });
  const rounds = [];
  try {
    for (let round = 0; round < repeat; round++) {
      const { waybill } = service;
      rounds.push({
        ...(await retryAll(waybill, `round-${round}`, tasks)),
        ...(await abortAll(waybill, `graph-${round}`, tasks)),
      });
      say(`${tasks} tasks: ${STEPS.map((step) => `${step} ${rounds.at(-1)[step].toFixed(2)} s`).join(', ')}`);
    }
  } finally {
    await service.stop();
  }
  return Object.fromEntries(STEPS.map((step) => [step, measured(rounds.map((round) => round[step]))]));
}

const measured = (rounds) => ({ rounds, median: median(rounds) });

async function retryAll(waybill, name, tasks) {
  const queue = waybill.queue(name);
  await queue.define({ onFailure: 'fail' });
  await fill(queue, tasks);
  await failAll(waybill, queue, tasks);
  const failed = { filter: { queue: name, state: 'failed' } };
  const preview = await secondsOf(() => waybill.operate('retry', failed, { preview: 'decided' }));
  const retried = await carriedOut(waybill, tasks, () => waybill.operate('retry', failed, { reason: 'bench' }));
  const undoPreview = await secondsOf(() => waybill.undo(retried.id, { preview: true }));
  const undone = await carriedOut(waybill, tasks, () => waybill.undo(retried.id, { reason: 'bench' }));
  return { preview, retry: retried.seconds, undoPreview, undo: undone.seconds };
}

/** The abort is over when the sweeper has aborted the last task. */
async function abortAll(waybill, name, tasks) {
  const queue = waybill.queue(name);
  await queue.define({});
  const { id: root } = await queue.enqueue(null, {});
  const waiting = Array.from({ length: tasks - 1 }, () => ({ after: [{ task: root }] }));
  for (let at = 0; at < waiting.length; at += 500) await queue.enqueueMany(waiting.slice(at, at + 500));
  const began = performance.now();
  const { id } = await carriedOut(waybill, 1, () => waybill.operate('abort', { tasks: [root] }, {}));
  const aborted = { filter: { queue: name, state: 'aborted' } };
  const isAll = async () => (await waybill.operate('delete', aborted, { preview: true })).count === tasks;
  await until('all to be aborted', isAll);
  const abort = (performance.now() - began) / 1_000;
  const alongPreview = await secondsOf(() => waybill.undo(id, { preview: true }));
  const along = await carriedOut(waybill, tasks, () => waybill.undo(id, {}));
  return { abort, alongPreview, along: along.seconds };
}

/** The id of the operation, and the seconds from the call to its end. */
async function carriedOut(waybill, tasks, order) {
  const began = performance.now();
  const { id } = await order();
  await until('the operation to end', async () => (await waybill.task(id).get()).finishedAt !== null);
  const seconds = (performance.now() - began) / 1_000;
  const { state, attempt, result, error } = await waybill.task(id).get();
  const got = JSON.stringify({ state, attempt, result, error });
  if (result?.done !== tasks) throw new Error(`Expected ${tasks} tasks to be done, but got ${got}`);
  return { id, seconds };
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
