import { Injectable } from '@nestjs/common';
import type { Reaction } from '../../application/reactions/reaction.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { Leaders } from '../leadership/leaders.js';
import type { Consumer } from '../projection-engine/consumer.js';
import { Follower } from '../projection-engine/follower.js';
import { LogFeed } from '../projection-engine/log-feed.js';
import { Progress } from '../projection-engine/progress.js';
import { ReactionConsumer } from './reaction-consumer.js';

/** The reactions that this process runs. */
export class Reactions {
  constructor(
    readonly all: readonly Reaction[],
    /** Other followers that give commands. */
    readonly others: readonly Consumer[] = [],
  ) {}
}

/** The reactor role. It runs one follower per reaction, each with its own checkpoint. */
@Injectable()
export class ReactionRunner {
  private readonly followers: readonly Follower[];

  constructor(reactions: Reactions, pool: PostgresPool, feed: LogFeed, leaders: Leaders, progress: Progress) {
    const parts = { pool, feed, leaders, progress };
    const consumers = [...reactions.all.map((reaction) => new ReactionConsumer(reaction, pool)), ...reactions.others];
    this.followers = consumers.map((consumer) => new Follower(consumer, parts));
  }

  /** Safe to call twice. */
  start(): void {
    this.followers.forEach((follower) => follower.start());
  }

  /** Waits for the current events. Safe to call twice. */
  async stop(): Promise<void> {
    await Promise.all(this.followers.map((follower) => follower.stop()));
  }
}
