import type { Run, Verdict } from '@waybill/client';
import type { Erasure, ErasureResult } from '../application/erasures/erasure.js';
import type { Erasures } from '../application/erasures/erasures.port.js';
import { type ErasedKind, ERASED_KINDS } from '../domain/erased-by.js';
import type { CommandContext } from '../application/kernel/command-context.js';
import { contextOf } from './bulk-pass.js';

/** Each of these reads the whole history of its task, and the append of all holds up others. With 50, every hundredth claim waited for most of that append. */
const AT_ONCE = 15;

/** Some of what an order concerns, of one kind. */
export interface ErasureItems {
  readonly kind: ErasedKind;
  readonly ids: readonly string[];
}

export interface ErasureWork {
  readonly erasures: Erasures;
  abort(items: ErasureItems, order: string, context: CommandContext): Promise<void>;
  record(items: ErasureItems, order: string, context: CommandContext): Promise<Codes>;
}

/** Until what the tasks led to may be known. */
const UNTIL_KNOWN_MS = 10_000;

const NOT_APPROVED = 'Expected an erasure that somebody else has approved, but nobody has';

/** Why each cannot be erased; null if that is recorded. */
type Codes = ReadonlyMap<string, string | null>;

/** One attempt to erase what the tasks of an order were about. It goes on where an earlier one stopped. */
export async function eraseSubject(run: Run<Erasure>, work: ErasureWork): Promise<ErasureResult | Verdict> {
  const { taskId: order, payload } = run.task;
  const { erasures } = work;
  // A retry after it was cancelled is no approval.
  if (erasures.needApproval && !(await erasures.isApproved(order)))
    return run.fail('business', NOT_APPROVED, { final: true });
  // What tells of the tasks may have come of their abort.
  for (let [done, more] = [0, true]; more;) {
    for (const kind of ERASED_KINDS) done += await eraseRemaining(kind, run, work, done);
    const told = await erasures.keepToldSince(order, { triggered: payload.isPurge !== true });
    if (told === null) return run.postpone(UNTIL_KNOWN_MS);
    more = told;
  }
  await erasures.eraseOutbox(order);
  await erasures.forgetRequests(order);
  await erasures.eraseSamples();
  return erasures.result(order);
}

/** Returns how many there were. */
async function eraseRemaining(kind: ErasedKind, run: Run<Erasure>, work: ErasureWork, before: number): Promise<number> {
  const { taskId: order, payload } = run.task;
  for (let [done, after]: [number, string | null] = [0, null]; ;) {
    run.signal.throwIfAborted();
    const ids: readonly string[] = await work.erasures.remaining(order, kind, after, AT_ONCE);
    if (ids.length === 0) return done;
    await erase({ kind, ids }, run, work);
    done += ids.length;
    run.progress('tasks', { end: Math.max(payload.expected, before + done), position: before + done });
    after = ids.at(-1)!;
  }
}

/** First the events, so that a half never lacks without one. A legal hold may be younger than the order. */
async function erase({ kind, ids: all }: ErasureItems, { task }: Run<Erasure>, work: ErasureWork): Promise<void> {
  const { taskId: order, payload } = task;
  const refusals = await work.erasures.refusals(kind, all);
  for (const [one, code] of refusals) await work.erasures.refuse(order, kind, one, code);
  const ids = all.filter((one) => !refusals.has(one));
  if (ids.length === 0) return;
  const codes = await recorded({ kind, ids }, order, payload, work);
  await work.erasures.erase(
    order,
    kind,
    ids.filter((one) => codes.get(one) === null),
  );
  for (const [one, code] of codes) if (code !== null) await work.erasures.refuse(order, kind, one, code);
}

async function recorded(items: ErasureItems, order: string, payload: Erasure, work: ErasureWork): Promise<Codes> {
  const { kind, ids } = items;
  const context = contextOf(order, payload);
  const codes = await work.record(items, order, context);
  const open = { kind, ids: ids.filter((one) => NOT_ENDED.includes(codes.get(one)!)) };
  if (!payload.abortOpen || open.ids.length === 0) return codes;
  await work.abort(open, order, context);
  return new Map([...codes, ...(await work.record(open, order, context))]);
}

const NOT_ENDED: readonly (string | null)[] = ['TASK_NOT_ENDED', 'BATCH_NOT_ENDED'];
