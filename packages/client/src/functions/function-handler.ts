import { within } from '../context.js';
import type { Handler } from '../worker/attempt.js';
import type { Run } from '../worker/run.js';
import type { Task } from '../worker/task.js';
import { alreadyTold, cancelRun, confirmCancel, IllegalVerdict, type Verdict } from '../worker/verdicts.js';
import { RunState } from './run-state.js';

/** A function with the id of its task and its run in front of its own arguments. */
export type Work<Args extends readonly any[] = readonly any[], Result = unknown> = (
  id: string,
  run: RunState,
  ...args: Args
) => Result;

export interface Registered {
  readonly work: Work;
  readonly cleanUp?: Work | undefined;
}

/** Runs the functions of a queue: each task names one by its kind, and its payload is the list of arguments. */
export function functionHandler(functions: ReadonlyMap<string, Registered>): Handler {
  const handler = (task: Task<unknown>, run: Run<any>): Promise<Verdict> =>
    within(task.claimEvent, () => perform(functions, task, run));
  return Object.assign(handler, { onStop: 'cancel' as const });
}

/** If the run is cancelled when the function ends, that counts, not what the function returned or threw. */
async function perform(
  functions: ReadonlyMap<string, Registered>,
  task: Task<unknown>,
  run: Run<any>,
): Promise<Verdict> {
  const state = new RunState(run);
  try {
    const result = await resultOf(functions, task, state);
    if (!state.cancelled) return run.succeed(result as never);
  } catch (error) {
    if (!state.cancelled) throw error;
    if (error !== run.signal.reason) await run.reportError(error);
  } finally {
    state.stopped();
  }
  return cancelledBy(run);
}

async function resultOf(functions: ReadonlyMap<string, Registered>, task: Task<unknown>, state: RunState) {
  const { taskId, kind, payload } = task;
  const found = functions.get(kind);
  if (!found) {
    throw new IllegalVerdict(`Expected a function '${kind}', but there are only: ${[...functions.keys()].join(', ')}`);
  }
  if (!Array.isArray(payload)) {
    throw new IllegalVerdict(`Expected the payload of '${kind}' to be its list of arguments, but it is no list`);
  }
  if (state.attempt > 1) await found.cleanUp?.(taskId, state, ...payload);
  return found.work(taskId, state, ...payload);
}

function cancelledBy({ stopReason }: Run<any>): Verdict {
  if (stopReason === 'lease-lost') return alreadyTold();
  return stopReason === 'cancel' ? confirmCancel() : cancelRun('The process that ran the task stopped');
}
