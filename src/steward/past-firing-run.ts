import type { Run, Verdict } from '@waybill/client';
import type { BulkCheckpoints } from '../application/bulk-operations/bulk-checkpoints.port.js';
import type { FiredPart } from '../application/triggers/fire-past-events.handler.js';
import type { PastFiring } from '../application/triggers/past-firing.js';

export interface PastFiringWork {
  /** Makes the tasks of the next events after `reached`. */
  fire(firing: PastFiring, replay: string | null, reached: string): Promise<FiredPart>;
  readonly checkpoints: BulkCheckpoints;
}

/** The index usually applies a definition within this time. */
const EARLY_MS = 1_000;

/**
 * One attempt to go through past events for a trigger. It goes on behind the last part that was dealt with. A part that is repeated
 * finds its tasks there, so nothing is told twice.
 */
export async function firePast(run: Run<PastFiring>, work: PastFiringWork): Promise<Verdict> {
  const { taskId: id, payload: firing } = run.task;
  const last = await work.checkpoints.last(id);
  let [reached, events] = [last?.cursor ?? firing.after, last?.result.done ?? 0];
  while (BigInt(reached) < BigInt(firing.upTo)) {
    run.signal.throwIfAborted();
    const part = await work.fire(firing, firing.isReplay ? id : null, reached);
    if (part.kind === 'early') return run.postpone(EARLY_MS);
    if (part.kind === 'ended') return run.succeed({ events, endedAt: reached });
    ({ reached } = part);
    events += part.events;
    await save(run, work, reached, events);
  }
  return run.succeed({ events });
}

async function save(
  { task, fencingToken }: Run<PastFiring>,
  { checkpoints }: PastFiringWork,
  cursor: string,
  done: number,
): Promise<void> {
  const result = { asked: done, done, refused: {}, examples: [] };
  if (!(await checkpoints.save(task.taskId, fencingToken, { tasks: [], cursor, result }, null)))
    throw new Error('Expected to save how far the past events are, but a later attempt has done so');
}
