import type { HeldTask } from './holder.events.js';
import type { StandingClaim } from './holder.commands.js';

/** Why a serial queue is not given to whoever asks. */
export type HolderRejection =
  | { readonly code: 'QUEUE_HELD'; readonly queue: string; readonly holder: StandingClaim }
  | { readonly code: 'QUEUE_DISPUTED'; readonly queue: string; readonly running: readonly HeldTask[] };
