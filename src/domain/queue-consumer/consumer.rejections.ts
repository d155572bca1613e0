import type { HeldTask } from './consumer.events.js';
import type { StandingClaim } from './consumer.commands.js';

/** Why a worker does not get a serial queue. */
export type ConsumerRejection =
  | { readonly code: 'QUEUE_HELD'; readonly queue: string; readonly consumer: StandingClaim }
  | { readonly code: 'QUEUE_CONFLICTED'; readonly queue: string; readonly running: readonly HeldTask[] };
