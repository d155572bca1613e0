import type { ChangeNotice, EventView, OperationId } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller } from './caller.js';
import { pause } from './clock.js';
import { isoTime } from './given-options.js';
import { WaybillUnavailable } from './problems.js';
import { backoffMs, isNotDone, isTransient, type RetryRules } from './retry.js';
import type { Input } from './transport.js';

export interface EventOptions {
  /** Start after this position; if absent, at the first event. */
  readonly after?: string;
  /** Where to start instead: a time, a duration before now (`10m`; s, m, h or d), or `now`, by the service's clock. */
  readonly since?: Date | string;
  readonly queue?: string;
  /** Only events of this task. */
  readonly task?: string;
  readonly category?: string;
  /** Only events of the batch, hold, resource or trigger of this name; needs its `category`. */
  readonly name?: string;
  readonly type?: string;
  /** Only events that this actor caused. */
  readonly actor?: string;
  /** Only events that were decided by this version of their queue's policy. */
  readonly policyVersion?: number;
  /** Only the public halves: what happened, without payloads, keys, labels, results and texts of errors. */
  readonly half?: 'public';
  /** Where to end: a time, or a duration before now; not with `follow`. */
  readonly until?: Date | string;
  /** Continue with new events until `signal` aborts; otherwise the feed ends with the latest event. */
  readonly follow?: boolean;
  /** The most events; not with `follow`. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/**
 * The retry rules of a feed. With these delays, 20 consecutive failures mean that the service was unreachable for about
 * five minutes.
 */
const PATIENCE: Omit<RetryRules, 'deadlineMs'> = { attempts: 20, baseMs: 100, capMs: 30_000 };

/** The rest before a stream that the service ended is opened again. */
const REOPEN_MS = 1_000;

/**
 * Events in commit order, each exactly once: after a broken connection, the feed resumes where it was, also if no
 * event has matched.
 * Throws `WaybillUnavailable` if the service stays unreachable, and ends without an error when the signal aborts.
 */
export async function* eventFeed(caller: Caller, options: EventOptions): AsyncGenerator<EventView> {
  const operation = options.follow ? 'followEvents' : 'readEvents';
  assertOptions(operation, options);
  yield* resumed<EventView>(caller, { ...options, operation, inputAfter: (seen) => inputAfter(options, seen) });
}

export interface ChangeFeedOptions {
  /** Start after this position; if absent, now. */
  readonly after?: string;
  /** Gets the position up to which nothing is missing: when the stream is open, and after 15 s without a notice. */
  readonly onPosition?: (position: string) => void;
  readonly signal?: AbortSignal;
}

/** Notices of what changes, resumed and ended like a followed event feed. */
export async function* changeFeed(caller: Caller, options: ChangeFeedOptions): AsyncGenerator<ChangeNotice> {
  assertOptions('followChanges', options);
  yield* resumed<ChangeNotice>(caller, {
    operation: 'followChanges',
    follow: true,
    signal: options.signal,
    onPosition: options.onPosition,
    inputAfter: ({ last }) =>
      last === null ? { query: { after: options.after } } : { headers: { 'last-event-id': last } },
  });
}

/** A stream that goes on where it broke off. */
interface Resumed {
  readonly operation: OperationId;
  readonly follow?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onPosition?: ((position: string) => void) | undefined;
  readonly inputAfter: (seen: Seen) => Input;
}

/** What a stream sends, each once: after a broken connection, it resumes where it was. */
export async function* resumed<E extends { readonly position: string }>(
  caller: Caller,
  { operation, inputAfter, ...options }: Resumed,
): AsyncGenerator<E> {
  const { transport, clock, retry } = caller.config;
  const rules = options.follow ? PATIENCE : retry;
  const seen: Seen = { last: null, count: 0 };
  let failures = 0;
  while (!options.signal?.aborted && seen.count < (options.limit ?? Infinity)) {
    const input = caller.request(operation, inputAfter(seen));
    const opened = clock.now();
    try {
      // A position may come before the first event, so that events recorded during a reconnection are not missed.
      const onPosition = (position: string): void => {
        if (position !== seen.last) failures = 0;
        seen.last = position;
        options.onPosition?.(position);
      };
      for await (const event of transport.open(operation, input, options.signal, onPosition)) {
        seen.last = event.position;
        seen.count++;
        failures = 0;
        yield event as unknown as E;
      }
      if (!options.follow) return;
      failures = 0;
      await pause(clock, REOPEN_MS, options.signal);
    } catch (error) {
      if (options.signal?.aborted) return;
      if (!isTransient(error)) throw error;
      // A quiet stream that stayed open for a while did connect, so counting starts anew.
      failures = options.follow && clock.now() - opened > PATIENCE.capMs ? 1 : failures + 1;
      if (failures >= rules.attempts) {
        const lost = { operation, input, requestId: input.headers['x-request-id']!, attempts: failures } as const;
        throw new WaybillUnavailable(lost, isNotDone(error) ? 'not-done' : 'unknown', error);
      }
      await pause(clock, backoffMs(rules, failures, error, clock), options.signal);
    }
  }
}

interface Seen {
  last: string | null;
  count: number;
}

/** A followed stream resumes by the header of server-sent events, a read one by its parameters. */
function inputAfter(
  { queue, task, category, name, type, actor, policyVersion, half, follow, limit, after, since, until }: EventOptions,
  { last, count }: Seen,
): Input {
  const end = until === undefined ? {} : { until: isoTime('until', until) };
  const filter = { queue, task, category, name, type, actor, policyVersion, half, ...end };
  const start = last === null ? { after, since: isoTime('since', since) } : { after: last };
  if (!follow) return { query: { ...filter, ...start, limit: limit === undefined ? undefined : limit - count } };
  return last === null ? { query: { ...filter, ...start } } : { query: filter, headers: { 'last-event-id': last } };
}
