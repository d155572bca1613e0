import { Logger } from '@nestjs/common';
import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { PostgresPool } from '../database/postgres-pool.js';
import type { Leaders } from '../leadership/leaders.js';
import { sayUnlessAway } from '../../application/kernel/outage.js';
import { Backoff, type BackoffOptions } from './backoff.js';
import {
  CheckpointMoved,
  NewerVersion,
  openCheckpoint,
  PoisonEvent,
  stopCheckpoint,
  type Checkpoint,
} from './checkpoint.js';
import type { Consumer } from './consumer.js';
import type { LogFeed } from './log-feed.js';
import { Loop } from './loop.js';
import type { Progress } from './progress.js';

export interface FollowerParts {
  readonly pool: PostgresPool;
  readonly feed: LogFeed;
  readonly leaders: Leaders;
  readonly progress: Progress;
}

/** How long a follower that stopped waits before it tries again: at first, and at most. */
export const WHILE_STOPPED: BackoffOptions = { firstMs: 30_000, capMs: 300_000 };

/**
 * Runs one consumer along the log, from its checkpoint to the head and on. Of all processes, one at a time runs the
 * follower of a name and version. Retries soon after errors that may pass. At an event that its consumer cannot apply it
 * stops, reports it, and tries again later and less often, because a mended event or row may let it go on.
 */
export class Follower {
  private readonly logger: Logger;
  private readonly backoff = new Backoff();
  private readonly stopped: Backoff;
  private readonly loop: Loop;

  constructor(
    private readonly consumer: Consumer,
    private readonly parts: FollowerParts,
    whileStopped: BackoffOptions = WHILE_STOPPED,
  ) {
    this.stopped = new Backoff(whileStopped);
    this.logger = new Logger(`Follower ${consumer.name}`);
    this.loop = new Loop(`follow the log for '${consumer.name}'`, (signal) => this.round(signal));
  }

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the current batch. Safe to call twice. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async round(signal: AbortSignal): Promise<number> {
    await this.follow(signal).catch((error: unknown) => this.recover(error, signal));
    return 0;
  }

  /** Follows for the length of a term. */
  private async follow(signal: AbortSignal): Promise<void> {
    const leadership = await this.parts.leaders.lead(`follower ${this.consumer.name} ${this.consumer.version}`, signal);
    if (!leadership) return;
    try {
      await this.consumeAll(AbortSignal.any([signal, leadership.lost]), leadership.term);
    } finally {
      await leadership.release();
    }
  }

  private async consumeAll(signal: AbortSignal, term: LeaderTerm): Promise<void> {
    await this.consumer.upgrade(signal);
    const opened = await openCheckpoint(this.parts.pool, this.consumer.name, this.consumer.version);
    let checkpoint: Checkpoint = { ...opened, term };
    const cursor = this.parts.feed.open(checkpoint.position, this.consumer);
    try {
      while (!signal.aborted) {
        this.parts.progress.reached(checkpoint.name, checkpoint.position);
        const segments = await cursor.next(checkpoint.position, signal);
        if (segments.length > 0) checkpoint = await this.consume(segments, checkpoint);
        this.backoff.succeeded();
        this.stopped.succeeded();
      }
    } finally {
      this.parts.progress.ended(this.consumer.name);
      await this.consumer.ended?.();
      await cursor.close();
    }
  }

  private async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    try {
      return await this.consumer.consume(segments, from);
    } catch (error) {
      if (error instanceof PoisonEvent) await stopCheckpoint(this.parts.pool, from, error);
      throw error;
    }
  }

  /** Returns once the next round may begin. After `NewerVersion`, none does before the follower is stopped. */
  private async recover(error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof CheckpointMoved) return;
    if (error instanceof NewerVersion) {
      this.logger.error(`${error.message}. It stopped; nothing else did`);
      return abortOf(signal);
    }
    if (error instanceof PoisonEvent) {
      this.logger.error(`${error.message}. It stopped; nothing else did, and it tries again`);
      return this.stopped.wait(signal);
    }
    const line = `Expected '${this.consumer.name}' to follow the log, but ${(error as Error).message}`;
    sayUnlessAway(error, line, (said) => this.logger.warn(said));
    await this.backoff.wait(signal);
  }
}

const abortOf = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
