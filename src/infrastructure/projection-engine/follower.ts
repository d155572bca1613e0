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
  private running: { readonly done: Promise<void>; readonly abort: AbortController } | null = null;

  constructor(
    private readonly consumer: Consumer,
    private readonly parts: FollowerParts,
    whileStopped: BackoffOptions = WHILE_STOPPED,
  ) {
    this.stopped = new Backoff(whileStopped);
    this.logger = new Logger(`Follower ${consumer.name}`);
  }

  /** Safe to call twice. */
  start(): void {
    if (this.running) return;
    const abort = new AbortController();
    this.running = { abort, done: this.run(abort.signal) };
  }

  /** Waits for the current batch. Safe to call twice. */
  async stop(): Promise<void> {
    this.running?.abort.abort();
    await this.running?.done;
    this.running = null;
  }

  private async run(signal: AbortSignal): Promise<void> {
    let outcome: 'again' | 'over' = 'again';
    while (outcome === 'again' && !signal.aborted) {
      outcome = await this.follow(signal).then(
        () => 'again' as const,
        (error: unknown) => this.recover(error, signal),
      );
    }
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

  private async recover(error: unknown, signal: AbortSignal): Promise<'again' | 'over'> {
    if (error instanceof CheckpointMoved) return 'again';
    if (error instanceof NewerVersion) {
      this.logger.error(`${error.message}. It stopped; nothing else did`);
      return 'over';
    }
    if (error instanceof PoisonEvent) {
      this.logger.error(`${error.message}. It stopped; nothing else did, and it tries again`);
      await this.stopped.wait(signal);
      return 'again';
    }
    const line = `Expected '${this.consumer.name}' to follow the log, but ${(error as Error).message}`;
    sayUnlessAway(error, line, (said) => this.logger.warn(said));
    await this.backoff.wait(signal);
    return 'again';
  }
}
