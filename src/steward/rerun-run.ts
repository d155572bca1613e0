import type { Run, Verdict, Waybill } from '@waybill/client';
import type { RerunOrder } from '../application/batches/rerun-batch.handler.js';
import type { CommandContext } from '../application/kernel/command-context.js';

export interface RerunWork {
  /** Copies a page of the failed tasks of a batch. Returns where the next page begins; null after the last. */
  copy(batch: string, page: bigint, within: string, context: CommandContext): Promise<bigint | null>;
}

/** One attempt to plan a batch that runs the failed tasks of another again. Each part of it can be repeated. */
export async function planRerun(run: Run<RerunOrder>, waybill: Waybill, work: RerunWork): Promise<Verdict> {
  const { taskId, plans, claimEvent, payload } = run.task;
  const batch = waybill.batch(plans!);
  if ((await batch.get()).state !== 'planning') return run.noChange();
  const context = { actor: 'steward', correlationId: taskId, isService: true } as const;
  for (let page: bigint | null = 0n; page !== null; page = await work.copy(payload.of, page, claimEvent, context))
    run.signal.throwIfAborted();
  const { total: tasks } = await batch.get();
  if (tasks === 0) return run.fail('business', NOTHING, { final: true });
  await batch.open(tasks);
  return run.succeed({ tasks });
}

const NOTHING =
  'Expected failed tasks to run again, but there is none: those that failed for good, or whose key has a waiting task, are not';
