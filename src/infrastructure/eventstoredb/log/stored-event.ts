import type { Envelope } from '../../../application/kernel/event-store.port.js';

/** An event as a store keeps it, whatever its version: nothing of it is decoded. */
export interface StoredEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly recordedAt: string;
  /** JSON, as it was decided. */
  readonly data: string;
  readonly envelope: Envelope;
}
