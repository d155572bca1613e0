import type { ClaimRequest } from './claim-source.port.js';

export interface UnknownKind {
  readonly queue: string;
  readonly kind: string;
  readonly worker: string;
  readonly taskId: string;
}

/**
 * The workers that are asking for tasks, whether or not there are any. Nothing is recorded, so after a crash the last
 * seconds are unknown.
 */
export abstract class WorkerPresence {
  /**
   * Notes that a worker is asking for tasks of a queue, until the returned function is called. Does not write itself,
   * so that an empty claim stays cheap.
   */
  abstract asks(
    request: Pick<ClaimRequest, 'queue' | 'worker' | 'server' | 'max' | 'steps' | 'offers' | 'stuck'>,
  ): () => void;

  /** Notes that a worker gave a task back because it does not know its kind. Does not write itself. */
  abstract doesNotKnow(unknown: UnknownKind): void;
}
