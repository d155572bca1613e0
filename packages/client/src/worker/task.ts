import type { ClaimedTask, Json } from '@waybill/contracts';

/** The task that a handler receives, without the claim's secret, so that you can log it. */
export type Task<Payload = Json, Data = TaskData> = Omit<
  ClaimedTask,
  'token' | 'claimId' | 'payload' | 'items' | 'data'
> & {
  readonly payload: Payload;
  /** What was recorded about the task before, by its workers and by operators. */
  readonly data: Data;
};

/** Data of a task whose members are not declared. */
export type TaskData = Readonly<Record<string, unknown>>;
