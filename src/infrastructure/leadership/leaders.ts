import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import type pg from 'pg';
import { sayUnlessAway } from '../../application/kernel/outage.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';

/** The time in which a process leads a role. */
export interface Leadership {
  /** What the term's work carries. */
  readonly term: LeaderTerm;
  /** Aborts when another process may lead. */
  readonly lost: AbortSignal;
  /** Says that a round of the role's work is done. The next renewal tells others when that was. */
  worked(): void;
  /** Lets another process lead at once. */
  release(): Promise<void>;
}

interface HeldRole {
  readonly term: LeaderTerm;
  readonly lost: AbortController;
  /** When this process stops leading unless it has renewed, by its monotonic clock. */
  until: number;
  /** When the last round of the work was done, by the same clock; null if none was since the last renewal. */
  workedAt: number | null;
}

export interface LeadersOptions {
  /** Others take over this long after the last renewal. */
  readonly ttlMs?: number;
  readonly renewMs?: number;
  /** How often to look whether the role is free. */
  readonly retryMs?: number;
}

/** A connection that has its statements answered one by one. */
interface Session {
  readonly connection: PostgresConnection;
  idle: Promise<unknown>;
  isOver: boolean;
}

/**
 * Which process leads each role, as rows with an epoch and a deadline by the database's clock. Who holds a role renews
 * it; anybody takes it once the deadline has passed. A process may lose a role without noticing, because it stood still
 * or was cut off: its work carries the epoch, and the database refuses it.
 *
 * Its terms also end with its connection: after a crash of Postgres, what followers wrote may be set back, and they must
 * look again where they stand.
 */
export class Leaders {
  private readonly logger = new Logger('Leaders');
  private readonly leader = randomUUID();
  private readonly processName = `${hostname()}:${process.pid}`;
  private readonly held = new Map<string, HeldRole>();
  private readonly ttlMs: number;
  private readonly renewMs: number;
  private readonly retryMs: number;
  private timer: NodeJS.Timeout | null = null;
  private session: Promise<Session> | null = null;
  private readonly asked = new Set<string>();

  constructor(
    private readonly pool: PostgresPool,
    { ttlMs = 6_000, renewMs = 2_000, retryMs = 1_000 }: LeadersOptions = {},
  ) {
    this.ttlMs = ttlMs;
    this.renewMs = renewMs;
    this.retryMs = retryMs;
  }

  /** Waits for the role. Returns null if `signal` aborts first. */
  async lead(role: string, signal: AbortSignal): Promise<Leadership | null> {
    while (!signal.aborted) {
      const leadership = await this.tryToLead(role);
      if (leadership) return leadership;
      // Rejects only if `signal` aborts.
      await delay(this.retryMs, undefined, { signal }).catch(() => undefined);
    }
    return null;
  }

  /** Null if the role is taken, by this process or another. */
  async tryToLead(role: string): Promise<Leadership | null> {
    if (this.held.has(role) || this.asked.has(role)) return null;
    this.asked.add(role);
    try {
      return await this.take(role);
    } finally {
      this.asked.delete(role);
    }
  }

  private async take(role: string): Promise<Leadership | null> {
    const [sent, session] = [performance.now(), await this.open()];
    const rows = await this.ask<{ epoch: string }>(TAKE, [role, this.leader, this.ttlMs, this.processName], session);
    if (rows.length === 0 || session.isOver) return null;
    const held: HeldRole = {
      term: { role, epoch: rows[0]!.epoch },
      lost: new AbortController(),
      until: sent + this.ttlMs,
      workedAt: null,
    };
    this.held.set(role, held);
    this.timer ??= setInterval(() => void this.keep(), this.renewMs).unref();
    return leadershipOf(held, () => this.release(held));
  }

  /** Gives all roles up. Safe to call twice. */
  async close(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    for (const held of this.held.values()) await this.release(held);
    const session = await this.session?.catch(() => null);
    if (session) this.drop(session);
  }

  private async release(held: HeldRole): Promise<void> {
    const { role, epoch } = held.term;
    if (held.lost.signal.aborted) return;
    this.lose(role);
    await this.ask(RELEASE, [role, epoch]).catch((error: Error) =>
      this.warn(error, `Expected to hand '${role}' over at once, but ${error.message}; it is free in ${this.ttlMs} ms`),
    );
  }

  /** A process that stood still for longer than its terms steps down before it asks. */
  private async keep(): Promise<void> {
    const before = performance.now();
    for (const { term, until } of this.held.values()) if (until <= before) this.lose(term.role);
    if (this.held.size === 0) return;
    await this.renew([...this.held.values()]).catch((error: Error) =>
      this.warn(error, `Expected to renew what this process leads, but ${error.message}`),
    );
  }

  private warn(error: Error, line: string): void {
    sayUnlessAway(error, line, (said) => this.logger.warn(said));
  }

  private async renew(all: readonly HeldRole[]): Promise<void> {
    const sent = performance.now();
    const roles = all.map(({ term }) => term.role);
    const epochs = all.map(({ term }) => term.epoch);
    const worked = all.map(({ workedAt }) => (workedAt === null ? null : sent - workedAt));
    for (const held of all) held.workedAt = null;
    const rows = await this.ask<{ role: string }>(RENEW, [roles, epochs, this.ttlMs, worked]);
    const kept = new Set(rows.map(({ role }) => role));
    for (const held of all) {
      if (kept.has(held.term.role)) held.until = sent + this.ttlMs;
      else if (this.held.get(held.term.role) === held) this.lose(held.term.role);
    }
  }

  private lose(role: string): void {
    this.held.get(role)?.lost.abort();
    this.held.delete(role);
  }

  private async ask<Row>(text: string, values: unknown[], given?: Session): Promise<Row[]> {
    const session = given ?? (await this.open());
    const query = { text, values, query_timeout: this.ttlMs / 2 } satisfies pg.QueryConfig & { query_timeout: number };
    const answer = session.idle.then(() => session.connection.query(query));
    session.idle = answer.catch(() => this.drop(session));
    return (await answer).rows as Row[];
  }

  private open(): Promise<Session> {
    this.session ??= this.connect().catch((error: unknown) => {
      this.session = null;
      throw error;
    });
    return this.session;
  }

  private async connect(): Promise<Session> {
    const connection = await this.pool.connect();
    const session: Session = { connection, idle: Promise.resolve(), isOver: false };
    for (const end of ['error', 'end']) connection.client.once(end, () => this.drop(session));
    return session;
  }

  /** Ends all terms. The roles can be taken again at once, because they are still this process's. */
  private drop(session: Session): void {
    if (session.isOver) return;
    session.isOver = true;
    this.session = null;
    for (const role of this.held.keys()) this.lose(role);
    session.connection.release(new Error('its terms end with it'));
  }
}

const leadershipOf = (held: HeldRole, release: () => Promise<void>): Leadership => ({
  term: held.term,
  lost: held.lost.signal,
  worked: () => void (held.workedAt = performance.now()),
  release,
});

const DEADLINE = (ttl: string): string => `clock_timestamp() + ${ttl}::int * interval '1 millisecond'`;

/** No deadline is set as far ahead: it is of before the clock was set back, and its holder may be gone. */
const HELD = `l.deadline > clock_timestamp() and l.deadline < clock_timestamp() + interval '1 minute'`;

/**
 * Looks first, because an insert that meets a row writes to it even if it changes nothing. A process that has lost its
 * connection takes back at once what it led.
 */
const TAKE = `
  insert into leaders as l (role, holder, process, epoch, deadline) select $1, $2::uuid, $4, 1, ${DEADLINE('$3')}
  where not exists (select from leaders l where role = $1 and holder <> $2::uuid and ${HELD})
  on conflict (role) do update set holder = excluded.holder, process = excluded.process, epoch = l.epoch + 1, since = clock_timestamp(),
    deadline = excluded.deadline
  where not (${HELD}) or l.holder = $2::uuid returning epoch`;

const RENEW = `
  update leaders l set deadline = ${DEADLINE('$3')},
    worked_at = coalesce(clock_timestamp() - mine.worked * interval '1 millisecond', l.worked_at)
  from unnest($1::text[], $2::bigint[], $4::float8[]) as mine(role, epoch, worked)
  where l.role = mine.role and l.epoch = mine.epoch returning l.role`;

/** The epoch ends with the term, so that a renewal on its way does not bring the term back. */
const RELEASE = `update leaders set deadline = clock_timestamp(), epoch = epoch + 1 where role = $1 and epoch = $2`;
