import { setTimeout as pause } from 'node:timers/promises';

/** One enqueue each, whether or not the earlier ones are answered: a slow answer must not lower the load. */
const EVERY_MS = 10;

/** Enqueues single tasks at a steady rate. Returns the milliseconds that each took. */
export async function enqueueSteadily(queue, seconds) {
  const times = [];
  const sent = [];
  const start = performance.now();
  for (let at = 0; at < (seconds * 1_000) / EVERY_MS; at++) {
    const due = start + at * EVERY_MS;
    if (due > performance.now()) await pause(due - performance.now());
    sent.push(queue.enqueue({ at }).then(() => times.push(performance.now() - due)));
  }
  await Promise.all(sent);
  return times;
}
