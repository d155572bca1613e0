export type BatchStatus = 'planning' | 'running' | 'completed' | 'failed' | 'aborted';

export interface ModelBatch {
  status: BatchStatus;
  /** How many tasks it had when it was opened. */
  opened: number;
  reports: number;
  /** How its tasks had ended at the last report. */
  reported: string | null;
}

export interface BatchCounts {
  readonly total: number;
  readonly open: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly aborted: number;
}

const ENDED = ['succeeded', 'failed', 'aborted'];

export function countsOf(members: readonly { readonly status: string }[]): BatchCounts {
  const count = (wanted: string): number => members.filter(({ status }) => status === wanted).length;
  return {
    total: members.length,
    open: members.filter(({ status }) => !ENDED.includes(status)).length,
    succeeded: count('succeeded'),
    failed: count('failed'),
    aborted: count('aborted'),
  };
}
