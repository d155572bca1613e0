import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { WakeUps } from '../kernel/wake-ups.port.js';
import { ClaimBatcher } from './claim-batcher.js';
import { ClaimService } from './claim-service.js';
import type { ClaimAnswer, ClaimRequest } from './claim-source.port.js';

/** One batcher per queue: claims that wait together are served together, so that a claim costs two statements for all of them. */
@Injectable()
export class TaskClaimer implements OnApplicationShutdown {
  private readonly batchers = new Map<string, ClaimBatcher>();
  private readonly stopListening: (() => void)[];

  constructor(
    private readonly claims: ClaimService,
    wakeUps: WakeUps,
  ) {
    this.stopListening = [
      wakeUps.onQueueReady((queue) => this.each(queue, (batcher) => batcher.wake())),
      wakeUps.onSlotFreed((queue) => this.each(queue, (batcher) => batcher.wakeRefused())),
    ];
  }

  /** The tasks now leased to the worker; none when none came in time, the queue gives nothing out, or the signal aborted. */
  async claim(request: ClaimRequest): Promise<ClaimAnswer> {
    const batcher = this.batchers.get(request.queue) ?? this.open(request.queue);
    try {
      return await batcher.claim(request);
    } finally {
      if (batcher.isEmpty && this.batchers.get(request.queue) === batcher) this.batchers.delete(request.queue);
    }
  }

  /** Everyone who still waits is answered with what is there: nothing. Safe to call twice. */
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
