import { Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { Refused } from '../kernel/application-error.js';
import { WakeUps } from '../kernel/wake-ups.port.js';
import { ClaimBatcher } from './claim-batcher.js';
import { ClaimService } from './claim-service.js';
import type { ClaimAnswer, ClaimRequest } from './claim-source.port.js';

/** A waiting claim takes some 2 kB, and each wake-up looks at all of its queue. */
export const MOST_WAITING = 10_000;

/** Keeps one batcher per queue. Claims that wait together are served together, so all of them cost two statements. */
@Injectable()
export class TaskClaimer implements OnApplicationShutdown {
  private readonly batchers = new Map<string, ClaimBatcher>();
  private waiting = 0;
  private readonly stopListening: (() => void)[];

  constructor(
    private readonly claims: ClaimService,
    wakeUps: WakeUps,
    @Optional() private readonly mostWaiting: number = MOST_WAITING,
  ) {
    this.stopListening = [
      wakeUps.onQueueReady((queue, only) => this.each(queue, (batcher) => batcher.wake(only))),
      wakeUps.onSlotFreed((queue) => this.each(queue, (batcher) => batcher.wakeRefused())),
    ];
  }

  /**
   * Returns the tasks now leased to the worker. None if none was ready in time, the queue gives out none, or the signal
   * aborted. Refuses if too many claims wait already.
   */
  async claim(request: ClaimRequest): Promise<ClaimAnswer> {
    if (this.waiting >= this.mostWaiting) throw new Refused({ code: 'TOO_MANY_WAITING', waiting: this.waiting });
    this.waiting++;
    const batcher = this.batchers.get(request.queue) ?? this.open(request.queue);
    try {
      return await batcher.claim(request);
    } finally {
      this.waiting--;
      if (batcher.isEmpty && this.batchers.get(request.queue) === batcher) this.batchers.delete(request.queue);
    }
  }

  /** Answers every waiting claim with no tasks. Safe to call twice. */
  onApplicationShutdown(): void {
    for (const stop of this.stopListening) stop();
    for (const batcher of this.batchers.values()) batcher.close();
  }

  private open(queue: string): ClaimBatcher {
    const batcher = new ClaimBatcher((requests) => this.claims.serve(queue, requests));
    this.batchers.set(queue, batcher);
    return batcher;
  }

  private each(queue: string, then: (batcher: ClaimBatcher) => void): void {
    if (queue === '*') return this.batchers.forEach(then);
    const batcher = this.batchers.get(queue);
    if (batcher) then(batcher);
  }
}
