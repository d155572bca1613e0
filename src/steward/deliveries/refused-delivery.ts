import type { ErrorClass } from '@waybill/contracts';

/** The delivery fails, because something must be changed first. The queue's policy does not retry this class. */
export class RefusedDelivery extends Error {
  override readonly name = 'RefusedDelivery';
  readonly class: ErrorClass = 'business';
}

/** The delivery may succeed later. */
export class FailedDelivery extends Error {
  override readonly name = 'FailedDelivery';
  readonly class: ErrorClass = 'transient';

  constructor(
    message: string,
    /** Whether the target is in trouble. Otherwise it is this delivery, or the configuration. */
    readonly isOfTarget = true,
  ) {
    super(message);
  }
}
