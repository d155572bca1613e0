import { assertOptions } from '../call-options.js';
import type { Caller } from '../caller.js';
import { assertTime, pause } from '../clock.js';
import { Resources } from '../resources.js';
import type { WorkerEvents } from './worker-events.js';

/** Reads what a gauge shows now. */
export type Gauge = () => number | Promise<number>;

export interface WatchOptions {
  /** How often to measure, in milliseconds; 10000 by default. Keep it well below the resource's `staleAfterSeconds`. */
  readonly everyMs?: number;
}

export interface Watch {
  readonly resource: string;
  readonly gauge: Gauge;
  readonly everyMs: number;
}

const EVERY_MS = 10_000;

export const watchOf = (resource: string, gauge: Gauge, options: WatchOptions): Watch => {
  assertOptions('worker.watch', options);
  const { everyMs = EVERY_MS } = options;
  assertTime('everyMs', everyMs, { min: 1 });
  return { resource, gauge, everyMs };
};

/** How full the file system of a path is for its users, in percent, as `df` shows it. */
export const diskUse =
  (path: string): Gauge =>
  async () => {
    const { statfs } = process.getBuiltinModule('node:fs/promises');
    const { blocks, bfree, bavail } = await statfs(path);
    const used = blocks - bfree;
    return used + bavail === 0 ? 100 : (100 * used) / (used + bavail);
  };

/**
 * Measures until the signal aborts. A measure that fails is made again when the next one is due: until then the service
 * has the last one, and after a while it counts the resource as short.
 */
export async function keepMeasuring(watch: Watch, caller: Caller, events: WorkerEvents, signal: AbortSignal) {
  const { resource, gauge, everyMs } = watch;
  const resources = new Resources(caller);
  while (!signal.aborted) {
    try {
      await resources.measure(resource, await gauge(), { signal, timeoutMs: everyMs, retry: { attempts: 1 } });
    } catch (error) {
      if (!signal.aborted) events.tell('unavailable', { doing: 'measure', resource, error, retryInMs: everyMs });
    }
    await pause(caller.config.clock, everyMs, signal);
  }
}
