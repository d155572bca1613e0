import type { ClaimRequest } from '../../application/claims/task-claimer.port.js';
import type { Granted } from './claim-batcher.js';

/** How the claims of one queue that wait together are served: one way where the log is in this database, another where it is not. */
export abstract class ClaimStrategy {
  /** An answer per request, in order; one request's refusal is its own. */
  abstract grant(queue: string, requests: readonly ClaimRequest[]): Promise<readonly Granted[]>;
}
