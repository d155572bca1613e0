import { setTimeout as pause } from 'node:timers/promises';
import { PAYLOAD } from '../measure/payload.mjs';
import { quantile } from '../measure/quantiles.mjs';
import { until } from '../measure/until.mjs';
import { emptied } from './emptied.mjs';

/** The first samples are left out, because they contain the system's own start. */
const WARM_UP_SHARE = 0.1;

/**
 * Milliseconds from the moment when a task should be enqueued until a worker starts it, at a constant rate that waits
 * for no answer, so that a system that falls behind shows its queue (no coordinated omission).
 */
export async function latency(system, { tasks, perSecond }, places) {
  await emptied(system, places);
  const samples = [];
  const stop = await system.work(({ dueAt }) => samples.push(performance.now() - dueAt));
  await handIn(system, tasks, perSecond);
  await until(`${tasks} tasks to start`, async () => samples.length >= tasks);
  await stop();
  await system.caughtUp?.();
  const warm = samples.slice(Math.floor(tasks * WARM_UP_SHARE));
  return { latency: { value: { p50: quantile(warm, 0.5), p99: quantile(warm, 0.99) } } };
}

/** Throws the first refusal once all are answered. */
async function handIn(system, tasks, perSecond) {
  const answers = [];
  const refusals = [];
  const start = performance.now();
  const dueAt = (index) => start + (index * 1000) / perSecond;
  while (answers.length < tasks) {
    const now = performance.now();
    while (answers.length < tasks && dueAt(answers.length) <= now) {
      const answer = system.enqueue({ ...PAYLOAD, dueAt: dueAt(answers.length) });
      answers.push(answer.catch((error) => refusals.push(error)));
    }
    await pause(1);
  }
  await Promise.all(answers);
  if (refusals.length > 0) throw refusals[0];
}
