import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ClaimAnswer, TaskClaimer, type ClaimRequest } from '../../application/claims/task-claimer.port.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { ClaimBatcher } from './claim-batcher.js';
import { ClaimStrategy } from './claim-strategy.js';

/** One line per queue: claims that wait together are served together, so that a claim costs two statements for all of them. */
@Injectable()
export class PostgresTaskClaimer extends TaskClaimer implements OnApplicationShutdown {
  private readonly lines = new Map<string, ClaimBatcher>();
  private readonly deaf: (() => void)[];

  constructor(
    private readonly granter: ClaimStrategy,
    wakeUps: WakeUps,
  ) {
    super();
    this.deaf = [
      wakeUps.onQueueReady((queue) => this.each(queue, (line) => line.wake())),
      wakeUps.onSlotFreed((queue) => this.each(queue, (line) => line.wakeRefused())),
    ];
  }

  async claim(request: ClaimRequest): Promise<ClaimAnswer> {
    const line = this.lines.get(request.queue) ?? this.open(request.queue);
    try {
      return await line.claim(request);
    } finally {
      if (line.isEmpty) this.lines.delete(request.queue);
    }
  }

  /** Everyone who still waits is answered with what is there: nothing. May be called twice. */
  onApplicationShutdown(): void {
    for (const stop of this.deaf) stop();
    for (const line of this.lines.values()) line.close();
  }

  private open(queue: string): ClaimBatcher {
    const line = new ClaimBatcher((requests) => this.granter.grant(queue, requests));
    this.lines.set(queue, line);
    return line;
  }

  private each(queue: string, then: (line: ClaimBatcher) => void): void {
    if (queue === '*') return this.lines.forEach(then);
    const line = this.lines.get(queue);
    if (line) then(line);
  }
}
