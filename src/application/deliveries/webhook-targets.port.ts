/** The addresses that webhooks may have. */
export abstract class WebhookTargets {
  /**
   * Why a webhook may not have this URL, as far as its text tells; null if it may. The delivery checks the address that
   * a name stands for.
   */
  abstract faultIn(url: URL): string | null;
}
