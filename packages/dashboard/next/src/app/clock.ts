/**
 * The service's clock, by which the times in its answers are. A browser's clock may be an hour off, so every answer's `Date`
 * header corrects it. The header has whole seconds and the answer took time: a small difference counts as none.
 */
class ServiceClock {
  private aheadMs = 0;

  now(): number {
    return Date.now() + this.aheadMs;
  }

  hear(date: string | null): void {
    const ahead = Date.parse(date ?? '') + 500 - Date.now();
    this.aheadMs = Math.abs(ahead) > 2_000 ? ahead : 0;
  }
}

export const clock = new ServiceClock();
