import type { Envelope } from '../../../application/kernel/event-store.port.js';

/** An event in stored form, not decoded and of any version. */
export interface StoredEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly recordedAt: string;
  /** The JSON text that was stored. */
  readonly data: string;
  readonly envelope: Envelope;
}
