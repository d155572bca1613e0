import type { ModelBatch } from './model-batch.js';

export type Status = 'pending' | 'held' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'aborted';

export interface ModelTask {
  /** The batch that it is part of. */
  readonly batch: ModelBatch | null;
  readonly id: string;
  readonly key: string | null;
  /** Whether it has the label that the hold selects, and that limits tell tasks apart by. */
  readonly labelled: boolean;
  /** Whether only a worker that offers something gets it. */
  readonly needy: boolean;
  /** What a submission must have in common with it so that it takes that in; null if it takes none. */
  readonly gathers: Pick<ModelTask, 'priority' | 'labelled' | 'needy'> | null;
  /** A worker has had it. */
  given: boolean;
  payload: number;
  priority: number;
  status: Status;
  /** With `held`: the hold caught it. */
  caught: boolean;
  /** The next step. */
  step: string | null;
  /** It has been released, or is in a step. */
  entered: boolean;
  /** Due in an hour. */
  later: boolean;
  /** Its handler waits for a signal until then. */
  awaits: boolean;
  /** How often its handler has waited. */
  waits: number;
  /** Signals that its handler has not asked for. */
  unread: number;
  /** Once its time has passed, no worker gets it. */
  expires: boolean;
  attempt: number;
  /** Its place in line, and that at which it arrived. */
  place: number;
  readonly arrived: number;
  failures: number;
  lost: number;
  server: string;
  token: string;
  /** Its lease is past its deadline, but has not been ended. */
  overdue: boolean;
  /** Its run has a longest end. */
  limited: boolean;
  /** The state that it gets when its worker stops. */
  request: 'cancelled' | 'held' | null;
  /** The tokens of attempts whose lease ended. */
  readonly staleTokens: string[];
  needs: Needs;
  /** Of these, what it no longer waits for, although an undo may bring it back. */
  readonly met: Set<ModelTask>;
}

/** What a task waits for, and whether an abort of that counts as done. */
export type Needs = ReadonlyMap<ModelTask, boolean>;

export const isWaiting = ({ status }: Pick<ModelTask, 'status'>): boolean => status === 'pending' || status === 'held';
