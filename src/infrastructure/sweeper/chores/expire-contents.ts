import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Expiry, expiryName, OrderExpiry } from '../../../application/erasures/order-expiry.handler.js';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { PostgresPool } from '../../database/postgres-pool.js';
import { type Chore, contextOfRound } from '../chore.js';

/** Days begin and policies change rarely. */
const EVERY_MS = 10_000;

/** Of all queues whose policy has contents expire, those whose `expiryName` is not among $1. */
const EXPIRING = `select e.* from (select name as queue, (policy->>'expireDays')::int as days, to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as on
  from queues where status <> 'deleted' and policy->>'expireDays' is not null) e
  where format('%s %s %s', e.on, e.days, e.queue) <> all ($1) order by e.queue limit $2`;

/** Orders, once a day, the erasure of what is older than a queue's policy allows. Each look reads all rows of the queue. */
@Injectable()
export class ExpireContents implements Chore<Expiry> {
  readonly name = 'expire contents';
  /** The expiries of this day for which the command was given, by their `expiryName`. */
  private handled: ReadonlySet<string> = new Set();
  private lookedAt = -Infinity;
  readonly idOf = ({ queue }: Expiry) => queue;

  constructor(
    private readonly commands: CommandBus,
    private readonly pool: PostgresPool,
  ) {}

  async find(limit: number): Promise<readonly Expiry[]> {
    const now = performance.now();
    if (now - this.lookedAt < EVERY_MS) return [];
    this.lookedAt = now;
    const { rows } = await this.pool.query<Expiry>(EXPIRING, [[...this.handled], limit]);
    return rows;
  }

  async act(expiries: readonly Expiry[], term: LeaderTerm): Promise<number> {
    for (const expiry of expiries) {
      await this.commands.execute(new OrderExpiry(expiry, contextOfRound(term)));
      this.note(expiry);
    }
    return expiries.length;
  }

  /** Forgets other days. */
  private note(expiry: Expiry): void {
    this.handled = new Set([...this.handled].filter((one) => one.startsWith(expiry.on)).concat(expiryName(expiry)));
  }
}
