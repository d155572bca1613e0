import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../application/kernel/at-most.js';
import { type UnknownKind, WorkerPresence } from '../../application/claims/worker-presence.port.js';
import { sayUnlessAway } from '../../application/kernel/outage.js';
import { PostgresPool } from '../database/postgres-pool.js';

interface Presence {
  readonly queue: string;
  readonly worker: string;
  server: string;
  /** What it offered when it last asked for tasks; null: nothing. */
  offers: AskingWorker['offers'] | null;
  /** How many of its handlers are stuck, if it has said so since the last write. */
  stuck: number | null;
  /** The number of its requests that wait for an answer. */
  asking: number;
  /**
   * The steps that it has asked for since the last write, and how many of its requests for each wait for an answer. The
   * step '' stands for all tasks.
   */
  readonly steps: Map<string, number>;
  /** When the last request was answered, on this process's monotonic clock. */
  seenAt: number;
  /** Whether the table is known to contain this state. */
  written: boolean;
}

type AskingWorker = Parameters<WorkerPresence['asks']>[0];

/** A worker that is new to this process is written after this time, together with others that arrive meanwhile. */
const NEW_MS = 100;
/** Known workers are written this often. Absence is reported after a minute, so this delay is small against it. */
const WRITE_MS = 5_000;
/**
 * The most workers to remember, because callers choose the names. Beyond that, the longest silent ones are forgotten.
 */
const MOST = 10_000;
/** The most steps to remember of a worker, because callers choose their names, too. */
const MOST_STEPS = 1_000;

/** Writes in the order of the key, so that two processes that write the same workers do not deadlock. */
const WRITE = `
with seen as materialized (
  select *, now() - ago_ms * interval '1 millisecond' as at
  from unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::int[], $6::jsonb[], $7::jsonb[]) as s(worker, queue, server, ago_ms, stuck, steps, offers)
), steps as (
  insert into worker_steps as w (worker, queue, step, seen_at)
    select worker, queue, step, at from seen cross join lateral jsonb_array_elements_text(steps) as step order by worker, queue, step
    on conflict (queue, worker, step) do update set seen_at = greatest(w.seen_at, excluded.seen_at)
)
insert into worker_presence as p (worker, queue, server, first_seen_at, seen_at, stuck, stuck_at, offers)
  select worker, queue, server, at, at, stuck, case when stuck > 0 then at end, offers from seen order by worker, queue
  on conflict (worker, queue) do update set server = excluded.server, offers = excluded.offers, seen_at = greatest(p.seen_at, excluded.seen_at),
    stuck = coalesce(excluded.stuck, p.stuck),
    stuck_at = case when excluded.stuck is null then p.stuck_at else excluded.stuck_at end`;

const WRITE_UNKNOWN = `
insert into unknown_kinds (queue, kind, worker, task_id, seen_at)
  select *, now() from unnest($1::text[], $2::text[], $3::text[], $4::uuid[]) as u(queue, kind, worker, task_id)
  order by queue, kind, worker
  on conflict (queue, kind, worker) do update set task_id = excluded.task_id, seen_at = excluded.seen_at`;

/** Keeps in memory which workers ask for tasks, and writes them to the database every few seconds in one statement. */
@Injectable()
export class PostgresWorkerPresence extends WorkerPresence implements OnApplicationShutdown {
  private readonly logger = new Logger('Presence');
  private readonly present = new LRUCache<string, Presence>(atMost(MOST));
  private unknown = new LRUCache<string, UnknownKind>(atMost(MOST));
  private timer: NodeJS.Timeout | null = null;
  private due = Infinity;
  private writing: Promise<void> | null = null;
  private failing = false;
  private stopped = false;

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  asks(asked: AskingWorker): () => void {
    const one = this.presenceOf(asked);
    one.asking += 1;
    one.written = false;
    one.stuck = asked.stuck ?? one.stuck;
    if (asked.max > 0) one.offers = asked.offers ?? null;
    const steps = stepsIn(asked, one);
    for (const step of steps) one.steps.set(step, (one.steps.get(step) ?? 0) + 1);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      one.asking -= 1;
      for (const step of steps) one.steps.set(step, one.steps.get(step)! - 1);
      one.seenAt = performance.now();
      one.written = false;
      this.writeIn(WRITE_MS);
    };
  }

  doesNotKnow(unknown: UnknownKind): void {
    this.unknown.set(JSON.stringify([unknown.queue, unknown.kind, unknown.worker]), unknown);
    this.writeIn(NEW_MS);
  }

  /** Runs after all claims have been answered. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private presenceOf({ queue, worker, server }: AskingWorker): Presence {
    const id = `${queue}\n${worker}`;
    const known = this.present.get(id);
    if (known) {
      known.server = server;
      this.writeIn(WRITE_MS);
      return known;
    }
    const one = {
      queue,
      worker,
      server,
      offers: null,
      stuck: null,
      asking: 0,
      steps: new Map(),
      seenAt: performance.now(),
      written: false,
    };
    this.present.set(id, one);
    this.writeIn(NEW_MS);
    return one;
  }

  private writeIn(ms: number): void {
    const due = performance.now() + ms;
    if (this.stopped || due >= this.due) return;
    this.due = due;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.writeNow(), ms);
    this.timer.unref();
  }

  private writeNow(): void {
    this.due = Infinity;
    // Runs one statement at a time, however long the database takes. When the current one ends, it checks for changes
    // again.
    if (this.writing) return;
    this.writing = this.write().then(() => {
      this.writing = null;
      if (this.changed().length > 0 || this.unknown.size > 0) this.writeIn(WRITE_MS);
    });
  }

  /** A worker that waits for an answer counts as present all that time. */
  private changed(): Presence[] {
    return [...this.present.values()].filter(({ asking, written }) => asking > 0 || !written);
  }

  /** If the database is unavailable, logs this once and writes the workers when it is back. */
  private async write(): Promise<void> {
    try {
      await this.writePresent();
      await this.writeUnknown();
      this.failing = false;
    } catch (error) {
      const line = `Could not write down which workers ask: ${(error as Error).message}`;
      if (!this.failing) sayUnlessAway(error, line, (said) => this.logger.warn(said));
      this.failing = true;
    }
  }

  private async writeUnknown(): Promise<void> {
    const { unknown } = this;
    const rows = [...unknown.values()];
    if (rows.length === 0) return;
    this.unknown = new LRUCache(atMost(MOST));
    try {
      await this.pool.query(WRITE_UNKNOWN, [
        rows.map(({ queue }) => queue),
        rows.map(({ kind }) => kind),
        rows.map(({ worker }) => worker),
        rows.map(({ taskId }) => taskId),
      ]);
    } catch (error) {
      for (const [id, one] of unknown.entries()) if (!this.unknown.has(id)) this.unknown.set(id, one);
      throw error;
    }
  }

  private async writePresent(): Promise<void> {
    const now = performance.now();
    const changed = this.changed();
    if (changed.length === 0) return;
    const steps = changed.map((one) => [...one.steps.keys()]);
    const stuck = changed.map((one) => one.stuck);
    for (const one of changed) {
      one.written = true;
      one.stuck = null;
      if (one.asking > 0) one.seenAt = now;
      for (const [step, asking] of one.steps) if (asking === 0) one.steps.delete(step);
    }
    try {
      await this.pool.query(WRITE, [
        changed.map(({ worker }) => worker),
        changed.map(({ queue }) => queue),
        changed.map(({ server }) => server),
        changed.map(({ seenAt }) => now - seenAt),
        stuck,
        steps.map((names) => JSON.stringify(names)),
        changed.map(({ offers }) => offers && JSON.stringify(offers)),
      ]);
    } catch (error) {
      changed.forEach((one, index) => {
        Object.assign(one, { written: false, stuck: one.stuck ?? stuck[index] });
        for (const step of steps[index]!) one.steps.set(step, one.steps.get(step) ?? 0);
      });
      throw error;
    }
  }
}

/** A worker that asks for no task only says that it is there. */
function stepsIn({ max, steps = [''] }: AskingWorker, { steps: known }: Presence): readonly string[] {
  return max === 0 ? [] : [...new Set(steps)].filter((step) => known.has(step) || known.size < MOST_STEPS);
}
