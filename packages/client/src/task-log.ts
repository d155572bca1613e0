import type { KeptLogLine } from '@waybill/contracts';
import { type Caller, type CallOptions, POLL_MARGIN_MS } from './caller.js';

export interface TaskLogOptions extends Pick<CallOptions, 'signal'> {
  /** Goes on with new lines until the task has ended. */
  readonly follow?: boolean | undefined;
}

/** The wait of one request, which proxies do not take for a lost one. */
const POLL_MS = 30_000;

/** The lines of a task. To follow them, each request waits in the service, which answers as soon as there is a line. */
export async function* linesOf(
  caller: Caller,
  id: string,
  { follow = false, signal }: TaskLogOptions,
): AsyncGenerator<KeptLogLine> {
  const waitMs = follow ? POLL_MS : 0;
  for (let cursor: string | undefined; ;) {
    const once = { timeoutMs: waitMs + POLL_MARGIN_MS, ...(signal && { signal }) };
    const page = await caller.call('getTaskLog', { path: { id }, query: { cursor, waitMs } }, once);
    yield* page.items;
    cursor = page.nextCursor;
    if (!page.more && (page.ended || !follow)) return;
  }
}
