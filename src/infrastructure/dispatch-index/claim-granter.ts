import type { ClaimRequest } from '../../application/claims/claim-desk.port.js';
import type { Granted } from './claim-line.js';

/** How the claims of one queue that wait together are served: one way where the log is in this database, another where it is not. */
export abstract class ClaimGranter {
  /** An answer per request, in order; one request's refusal is its own. */
  abstract grant(queue: string, requests: readonly ClaimRequest[]): Promise<readonly Granted[]>;
}
