import type { ClaimedTask, Json } from '@waybill/contracts';

/** The task that a handler receives, without the claim's secret, so that you can log it. */
export type Task<Payload = Json> = Omit<ClaimedTask, 'token' | 'claimId' | 'payload' | 'items'> & {
  readonly payload: Payload;
};
