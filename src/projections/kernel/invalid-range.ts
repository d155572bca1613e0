/** How long figures are kept by the minute. */
export const MINUTES_KEPT_DAYS = 7;

/** Why a range cannot be answered. */
export class InvalidRange extends Error {
  override readonly name = 'InvalidRange';
  constructor(
    readonly parameter: 'from' | 'to' | 'bucket',
    message: string,
  ) {
    super(message);
  }
}
