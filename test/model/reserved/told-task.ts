export type ToldStatus = 'pending' | 'held' | 'running' | 'failed' | 'cancelled' | 'succeeded' | 'aborted' | 'deleted';

export interface ToldTask {
  readonly id: string;
  readonly key: string | null;
  /** The position of its first event, by which it is older than others. */
  readonly position: bigint;
  /** Its place in line among those of the same priority: the position of the event that placed it last. */
  place: bigint;
  status: ToldStatus;
  priority: number;
  /** Due in an hour. */
  later: boolean;
  attempt: number;
  server: string;
  /** The ids of what it waits for, and whether an abort of that counts as done. */
  readonly needs: Map<string, boolean>;
  /** Whether it is part of the batch. */
  readonly isMember: boolean;
  /** Whether the batch kept it from running when it was last placed. */
  isStaged: boolean;
}

/** Whether nothing can happen to it any more that others wait for. */
export const isOver = ({ status }: ToldTask): boolean => ['succeeded', 'aborted', 'deleted'].includes(status);
