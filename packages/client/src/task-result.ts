import type { Json, TaskResult } from '@waybill/contracts';
import { type Caller, type CallOptions, POLL_MARGIN_MS } from './caller.js';
import { assertTime } from './clock.js';

export interface ResultOptions extends Pick<CallOptions, 'signal'> {
  /** How long to wait for the end of the task, in all; as long as it takes if absent. */
  readonly timeoutMs?: number | undefined;
}

/** The task ended without success. Its last failure is in `task.error`; a person may still retry a failed or cancelled task. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';

  constructor(readonly task: TaskResult) {
    const why = task.error === null ? '' : `: ${task.error.class}: ${task.error.message}`;
    super(`Expected task '${task.task}' of queue '${task.queue}' to succeed, but it is ${task.state}${why}`);
  }
}

/** The task did not end in time. It goes on, and how it ends is unknown. */
export class TaskNotEnded extends Error {
  override readonly name = 'TaskNotEnded';

  constructor(
    readonly task: TaskResult,
    timeoutMs: number,
  ) {
    super(
      `Expected task '${task.task}' of queue '${task.queue}' to end within ${timeoutMs} ms, but it is still ${task.state}: its outcome is unknown`,
    );
  }
}

/** The wait of one request, which proxies do not take for a lost one. */
const POLL_MS = 30_000;

/** The result of a task once it has succeeded. Each request waits in the service, which answers as soon as the task ends. */
export async function resultOf(caller: Caller, id: string, { timeoutMs, signal }: ResultOptions): Promise<Json> {
  assertTime('timeoutMs', timeoutMs);
  const { clock } = caller.config;
  const end = clock.now() + (timeoutMs ?? Infinity);
  for (;;) {
    const waitMs = Math.ceil(Math.min(POLL_MS, Math.max(0, end - clock.now())));
    const once = { timeoutMs: waitMs + POLL_MARGIN_MS, ...(signal && { signal }) };
    const found = await caller.call('getTaskResult', { path: { id }, query: { waitMs } }, once);
    if (found.state === 'succeeded') return found.result as Json;
    if (found.ended) throw new TaskFailed(found);
    if (clock.now() >= end) throw new TaskNotEnded(found, timeoutMs!);
  }
}
