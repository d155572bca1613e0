import type { FollowedTask } from '@waybill/contracts';
import { createParser } from 'eventsource-parser';
import { textOf } from './body.js';
import { pause, systemClock } from './clock.js';
import { Watch } from './watch.js';

export type { FollowedEvent, FollowedTask } from '@waybill/contracts';

export interface FollowOptions {
  /** Ends the following without an error. */
  readonly signal?: AbortSignal;
  /** Defaults to the platform's. */
  readonly fetch?: typeof fetch;
}

/** The service refuses the token: it has expired, above all. Ask your own server for a new one. */
export class FollowRefused extends Error {
  override readonly name = 'FollowRefused';

  constructor(
    readonly status: number,
    /** As in the answers of the API, such as `UNAUTHENTICATED`; empty if something else than the service answered. */
    readonly code: string,
    detail: string,
  ) {
    super(detail);
  }
}

/** The service sends something every 15 s. After three times nothing, the connection is dead. */
const SILENCE_MS = 45_000;

/** Delays double up to the longest, each with full jitter, so that the pages of a restarted service do not return together. */
const [FIRST_DELAY_MS, LONGEST_DELAY_MS] = [1_000, 30_000];

/** A proxy answers 502 and 504 if it loses the service. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/**
 * One task as it is, now and after everything that happens to it, until it has ended. `url`: the address of the service; `token`: what
 * `task.followToken()` of your server gave. Needs nothing but `fetch`, so it runs in browsers. Connects again for as long as it takes.
 * Throws `FollowRefused`, and `TypeError` for a token that is none.
 */
export async function* followTask(
  url: string,
  token: string,
  options: FollowOptions = {},
): AsyncGenerator<FollowedTask> {
  const { signal } = options;
  const address = `${url.replace(/\/+$/, '')}/v1/tasks/${taskIn(token)}/follow`;
  let last: FollowedTask | null = null;
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      for await (const task of messages(address, headersFor(token, last), options)) {
        [last, failures] = [task, 0];
        yield task;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof FollowRefused && !PASSING.has(error.status)) throw error;
    }
    if (last?.ended) return;
    await pause(systemClock, delayMs(failures), signal);
  }
}

/** What one connection brings, up to the end of the task. */
async function* messages(
  address: string,
  headers: Record<string, string>,
  { signal, fetch: send = fetch }: FollowOptions,
): AsyncGenerator<FollowedTask> {
  const watch = new Watch(signal, SILENCE_MS);
  try {
    const response = await send(address, { headers, signal: watch.signal, credentials: 'omit' });
    if (!response.ok) throw await refusalOf(response);
    let arrived: FollowedTask[] = [];
    const parser = createParser({ onEvent: ({ data }) => arrived.push(JSON.parse(data) as FollowedTask) });
    for await (const text of textOf(response.body, watch.signal)) {
      watch.heard();
      arrived = [];
      parser.feed(text);
      yield* arrived;
      if (arrived.at(-1)?.ended) return;
      watch.listen();
    }
  } finally {
    watch.end();
  }
}

/** The task's id is the second part of the token. */
function taskIn(token: string): string {
  const [, task] = /^wbf1\.([0-9a-f-]{36})\./.exec(token) ?? [];
  if (task === undefined)
    throw new TypeError("Expected a follow token as 'task.followToken()' gives, but got other text");
  return task;
}

const headersFor = (token: string, last: FollowedTask | null): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(last !== null && { 'last-event-id': last.position }),
});

async function refusalOf(response: Response): Promise<FollowRefused> {
  const text = await response.text();
  const isProblem = response.headers.get('content-type')?.includes('json') === true;
  const { code = '', detail = '' } = isProblem ? (JSON.parse(text) as { code?: string; detail?: string }) : {};
  return new FollowRefused(
    response.status,
    code,
    detail || `Expected a stream of the task, but got ${response.status}`,
  );
}

const delayMs = (failures: number): number =>
  systemClock.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10));
