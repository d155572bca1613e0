import type { Run, Verdict } from '@waybill/client';
import type { Erasure, ErasureResult } from '../application/erasures/erasure.js';
import type { Erasures } from '../application/erasures/erasures.port.js';
import type { CommandContext } from '../application/kernel/command-context.js';
import { contextOf } from './bulk-pass.js';

/** Each of these reads the whole history of its task, and the append of all holds up others. */
const AT_ONCE = 50;

export interface ErasureWork {
  readonly erasures: Erasures;
  abort(tasks: readonly string[], order: string, context: CommandContext): Promise<void>;
  record(tasks: readonly string[], order: string, context: CommandContext): Promise<Codes>;
}

const NOT_APPROVED = 'Expected an erasure that somebody else has approved, but nobody has';

/** Why each task cannot be erased; null if that is recorded. */
type Codes = ReadonlyMap<string, string | null>;

/** One attempt to erase what the tasks of an order were about. It goes on where an earlier one stopped. */
export async function eraseSubject(run: Run<Erasure>, work: ErasureWork): Promise<ErasureResult | Verdict> {
  const { taskId: order } = run.task;
  const { erasures } = work;
  // A retry after it was cancelled is no approval.
  if (erasures.needApproval && !(await erasures.isApproved(order)))
    return run.fail('business', NOT_APPROVED, { final: true });
  // What tells of the tasks may have come of their abort.
  for (let done = 0; ;) {
    done += await eraseRemaining(run, work, done);
    if (!(await erasures.keepToldSince(order))) break;
  }
  await erasures.eraseOutbox(order);
  await erasures.forgetRequests(order);
  await erasures.eraseSamples();
  return erasures.result(order);
}

/** Returns how many there were. */
async function eraseRemaining(run: Run<Erasure>, work: ErasureWork, before: number): Promise<number> {
  const { taskId: order, payload } = run.task;
  for (let [done, after]: [number, string | null] = [0, null]; ;) {
    run.signal.throwIfAborted();
    const tasks: readonly string[] = await work.erasures.remaining(order, after, AT_ONCE);
    if (tasks.length === 0) return done;
    await erase(tasks, run, work);
    done += tasks.length;
    run.progress('tasks', { end: Math.max(payload.expected, before + done), position: before + done });
    after = tasks.at(-1)!;
  }
}

/** First the events, so that a half never lacks without one. A legal hold may be younger than the order. */
async function erase(all: readonly string[], { task }: Run<Erasure>, work: ErasureWork): Promise<void> {
  const { taskId: order, payload } = task;
  const refusals = await work.erasures.refusals(all);
  for (const [one, code] of refusals) await work.erasures.refuse(order, one, code);
  const tasks = all.filter((one) => !refusals.has(one));
  if (tasks.length === 0) return;
  const codes = await recorded(tasks, order, payload, work);
  await work.erasures.erase(
    order,
    tasks.filter((one) => codes.get(one) === null),
  );
  for (const [one, code] of codes) if (code !== null) await work.erasures.refuse(order, one, code);
}

async function recorded(tasks: readonly string[], order: string, payload: Erasure, work: ErasureWork): Promise<Codes> {
  const context = contextOf(order, payload);
  const codes = await work.record(tasks, order, context);
  const open = tasks.filter((one) => codes.get(one) === 'TASK_NOT_ENDED');
  if (!payload.abortOpen || open.length === 0) return codes;
  await work.abort(open, order, context);
  return new Map([...codes, ...(await work.record(open, order, context))]);
}
