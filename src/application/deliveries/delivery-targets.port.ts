/** Whom deliveries may reach. */
export abstract class DeliveryTargets {
  /**
   * Why a webhook may not have this URL, or not with this secret, as far as its text tells; null if it may. The delivery checks
   * the address that a name stands for.
   */
  abstract faultIn(url: URL, secret: string): string | null;

  /** Why nothing signs under this name; null if a secret does. */
  abstract faultInSecret(name: string): string | null;

  /** Why no mail can be sent to them; null if it can. */
  abstract faultInMail(to: readonly string[]): string | null;
}
