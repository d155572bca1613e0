import { Injectable } from '@nestjs/common';
import type { Reaction } from '../../application/reactions/reaction.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { Leaders } from '../leadership/leaders.js';
import { EventStore } from '../../application/kernel/event-store.port.js';
import type { Consumer } from '../projection-engine/consumer.js';
import { Follower } from '../projection-engine/follower.js';
import { LogFeed } from '../projection-engine/log-feed.js';
import { Progress } from '../projection-engine/progress.js';
import { ReactionConsumer } from './reaction-consumer.js';
import { Retries, type Retrying } from './retries.js';

/** The reactions that this process runs. */
export class Reactions {
  constructor(
    readonly all: readonly Reaction[],
    /** Other followers that give commands. */
    readonly others: readonly (Consumer & Retrying)[] = [],
  ) {}
}

/**
 * The reactor role. It runs one follower per reaction, each with its own checkpoint, and tries again what they put
 * aside.
 */
@Injectable()
export class ReactionRunner {
  private readonly parts: readonly (Follower | Retries)[];

  constructor(
    reactions: Reactions,
    pool: PostgresPool,
    store: EventStore,
    feed: LogFeed,
    leaders: Leaders,
    progress: Progress,
  ) {
    const parts = { pool, feed, leaders, progress };
    const own = reactions.all.map((reaction) => new ReactionConsumer(reaction, pool, store));
    const all = [...own, ...reactions.others];
    this.parts = all.flatMap((one) => [new Follower(one, parts), new Retries(one, leaders)]);
  }

  /** Safe to call twice. */
  start(): void {
    this.parts.forEach((part) => part.start());
  }

  /** Waits for the current events. Safe to call twice. */
  async stop(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.stop()));
  }
}
