import { Logger } from '@nestjs/common';

/**
 * Tells once that the store went away and once that it is back, however many wait for it. A call that fails while others
 * succeed is no outage, and neither is one that began before the store came back.
 */
export class Outage {
  private readonly logger = new Logger('EventStoreDB');
  private reachedAt = -Infinity;
  private awaySince: number | null = null;

  /** A call that began at this time (`performance.now()`) got its answer. */
  reached(began: number): void {
    this.reachedAt = performance.now();
    if (this.awaySince === null || began < this.awaySince) return;
    this.logger.log(`The store is back after ${((this.reachedAt - this.awaySince) / 1_000).toFixed(1)} s`);
    this.awaySince = null;
  }

  /** A call that began at this time found no store. Returns whether it is told that the store is away. */
  missed(error: Error, began: number): boolean {
    if (this.awaySince !== null) return true;
    if (this.reachedAt >= began) return false;
    this.awaySince = performance.now();
    this.logger.warn(`The store is away, and is tried until it is back: ${error.message}`);
    return true;
  }
}
