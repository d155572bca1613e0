import type { ClaimRequest } from './claim-source.port.js';

/**
 * Who asks for tasks, be there any or not. Not a fact worth keeping: nothing is recorded, and after a crash the last seconds are unknown.
 */
export abstract class WorkerPresence {
  /** A worker asks for tasks of a queue, until the answered function is called. Writes nothing by itself, so that an empty claim stays cheap. */
  abstract asks(request: Pick<ClaimRequest, 'queue' | 'worker' | 'server'>): () => void;
}
