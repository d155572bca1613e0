/** Whom deliveries may reach. */
export abstract class DeliveryTargets {
  /**
   * Why a webhook may not have this URL, as far as its text tells; null if it may. The delivery checks the address that
   * a name stands for.
   */
  abstract faultIn(url: URL): string | null;

  /** Why no mail can be sent; null if it can. */
  abstract faultInMail(): string | null;
}
