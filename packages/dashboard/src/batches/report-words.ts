import type { BatchReport, BatchView } from '@waybill/client';

/** What a report says, so that a person need not count. */
export function saidBy({ about, counts, changes, more, incomplete }: BatchReport): string {
  const [only] = changes;
  if (about === 'task') return `${only!.name ?? only!.task}, run again: ${only!.state}`;
  const { total, succeeded, deleted } = counts!;
  const news = changes[0]?.from === undefined ? '' : `; ${changes.length + more} changed`;
  const open = incomplete.length === 0 ? '' : `; not complete: ${namesOf(incomplete)}`;
  return `${succeeded} of ${total - deleted} complete${news}${open}`;
}

const MOST_NAMES = 5;

function namesOf(tasks: BatchReport['incomplete']): string {
  const names = tasks.slice(0, MOST_NAMES).map(({ name, task }) => name ?? task);
  return tasks.length > MOST_NAMES ? `${names.join(', ')} and others` : names.join(', ');
}

/** Why a batch has not reported anything. */
export function whyNoReport({ state, error }: Pick<BatchView, 'state' | 'error'>): string {
  if (error !== null) return 'No reports: the batch was never opened, because it could not be planned.';
  if (state === 'aborted' || state === 'deleted') return `No reports: the batch was ${state} before it ended.`;
  return 'No reports yet: it reports when all its tasks have ended.';
}
