import { within } from '../context.js';
import type { Handler } from '../worker/attempt.js';
import type { Run } from '../worker/run.js';
import type { Task } from '../worker/task.js';
import { alreadyTold, cancelRun, confirmCancel, IllegalVerdict, returnedBy, type Verdict } from '../worker/verdicts.js';
import { Unserved } from '../worker/unserved.js';
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
  const unserved = new Unserved();
  const handler = (task: Task<unknown>, run: Run<any>): Verdict | Promise<Verdict> => {
    const found = functions.get(task.kind);
    if (!found) return unserved.giveBack(task.taskId, unknown(task.kind, [...functions.keys()]), { unknownKind: true });
    return within(task.claimEvent, () => perform(found, task, run));
  };
  return Object.assign(handler, { onStop: 'cancel' as const });
}

/** If the run must stop when the function ends, that counts, not what the function returned or threw. */
async function perform(registered: Registered, task: Task<unknown>, run: Run<any>): Promise<Verdict> {
  const state = new RunState(run);
  try {
    const result = await resultOf(registered, task, state);
    if (run.stopReason === null) return run.succeed(result as never);
  } catch (error) {
    if (run.stopReason === null) throw error;
    if (state.cancelled && error !== run.signal.reason) await run.reportError(error);
  } finally {
    state.stopped();
  }
  return stoppedBy(run);
}

async function resultOf({ work, cleanUp }: Registered, task: Task<unknown>, state: RunState) {
  const { taskId, kind, payload } = task;
  if (!Array.isArray(payload)) {
    throw new IllegalVerdict(`Expected the payload of '${kind}' to be its list of arguments, but it is no list`);
  }
  if (state.attempt > 1) await cleanUp?.(taskId, state, ...payload);
  return returnedBy(work(taskId, state, ...payload));
}

const unknown = (kind: string, known: readonly string[]): string =>
  `Expected a function '${kind}', but there are only: ${known.join(', ')}`;

/** Whose task waits, or is another worker's, has nothing more to report. */
function stoppedBy({ stopReason }: Run<any>): Verdict {
  if (stopReason === 'lease-lost' || stopReason === 'waiting') return alreadyTold();
  return stopReason === 'cancel' ? confirmCancel() : cancelRun('The process that ran the task stopped');
}
