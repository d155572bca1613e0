import type { ClaimedTask, Requests } from '@waybill/contracts';
import type { Caller, CommandOptions } from './caller.js';
import { WaybillError } from './problems.js';

/**
 * Creates a task and claims it. The answer to a repetition under the same idempotency key is the first one, also if somebody
 * has run the task since. Its lease is extended then, so that nobody runs it twice. Throws `WaybillError` with the code
 * `LEASE_LOST` if it is over.
 */
export async function startTask(
  caller: Caller,
  body: Requests['startTask'],
  options: CommandOptions = {},
): Promise<ClaimedTask> {
  const { task, replayed } = await caller.replayable('startTask', { body }, options);
  return replayed ? extended(caller, task, options) : task;
}

async function extended(caller: Caller, task: ClaimedTask, options: CommandOptions): Promise<ClaimedTask> {
  const { idempotencyKey: _, ...ofCall } = options;
  const { taskId: id, token } = task;
  try {
    const { deadline } = await caller.call('extendLease', { path: { id }, body: { token } }, ofCall);
    return { ...task, deadline };
  } catch (error) {
    throw error instanceof WaybillError && error.code === 'LEASE_LOST' ? startIsOver(id, error) : error;
  }
}

function startIsOver(id: string, { problem, data }: WaybillError): WaybillError {
  const { state, heldBy } = data as { readonly state: string; readonly heldBy: string | null };
  const now = heldBy === null ? `the task is ${state}` : `worker '${heldBy}' has the task`;
  const detail = `Expected to start a task, but this repeats the start of task '${id}', whose claim is over: ${now}`;
  return new WaybillError({ ...problem, detail });
}
