import type { BatchStatus } from '@waybill/contracts';

/** Which batches a list has. */
export interface BatchFilter {
  /** A search, such as `name:night* label.run:7 since:2d`: what must match besides the state. */
  readonly q?: string;
  readonly state?: BatchStatus;
}
