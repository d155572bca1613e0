import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { WorkerPresence } from '../../application/claims/worker-presence.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

interface Presence {
  readonly queue: string;
  readonly worker: string;
  server: string;
  /** Requests that wait for an answer. */
  asking: number;
  /** When the last one was answered, by this process' monotonic clock. */
  seenAt: number;
  /** Whether that is known to be in the table. */
  written: boolean;
}

type Asked = Parameters<WorkerPresence['asks']>[0];

/** A worker that is new here is written as soon as this, together with those that come with it. */
const NEW_MS = 100;
/** The others: what a minute of absence is told by may be so late. */
const WRITE_MS = 5_000;
/** Names are the callers' to choose: more than that at once, and the ones longest silent are forgotten. */
const MOST = 10_000;

/** In the order of the key, so that processes that write the same workers do not wait for each other in a circle. */
const WRITE = `
insert into worker_presence as p (worker, queue, server, first_seen_at, seen_at)
  select worker, queue, server, at, at
  from unnest($1::text[], $2::text[], $3::text[], $4::float8[]) as seen(worker, queue, server, ago_ms)
  cross join lateral (select now() - ago_ms * interval '1 millisecond' as at) t order by worker, queue
  on conflict (worker, queue) do update set server = excluded.server, seen_at = greatest(p.seen_at, excluded.seen_at)`;

/** Keeps in memory who asks, and writes it down every few seconds, one statement for all. */
@Injectable()
export class PostgresWorkerPresence extends WorkerPresence implements OnApplicationShutdown {
  private readonly logger = new Logger('Presence');
  private readonly present = new LRUCache<string, Presence>({ max: MOST });
  private timer: NodeJS.Timeout | null = null;
  private due = Infinity;
  private writing: Promise<void> | null = null;
  private failing = false;
  private stopped = false;

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  asks(asked: Asked): () => void {
    const one = this.presenceOf(asked);
    one.asking += 1;
    one.written = false;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      one.asking -= 1;
      one.seenAt = performance.now();
      one.written = false;
      this.writeIn(WRITE_MS);
    };
  }

  /** The claims have been answered by now. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private presenceOf({ queue, worker, server }: Asked): Presence {
    const id = `${queue}\n${worker}`;
    const known = this.present.get(id);
    if (known) {
      known.server = server;
      this.writeIn(WRITE_MS);
      return known;
    }
    const one = { queue, worker, server, asking: 0, seenAt: performance.now(), written: false };
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
    // One statement at a time: the one under way looks again at its end, however long the database takes.
    if (this.writing) return;
    this.writing = this.write().then(() => {
      this.writing = null;
      if (this.changed().length > 0) this.writeIn(WRITE_MS);
    });
  }

  /** Whoever waits for an answer is there for as long as that takes. */
  private changed(): Presence[] {
    return [...this.present.values()].filter(({ asking, written }) => asking > 0 || !written);
  }

  /** A database that is away is told once; who asked is written when it is back. */
  private async write(): Promise<void> {
    const now = performance.now();
    const changed = this.changed();
    if (changed.length === 0) return;
    for (const one of changed) {
      one.written = true;
      if (one.asking > 0) one.seenAt = now;
    }
    try {
      await this.pool.query(WRITE, [
        changed.map(({ worker }) => worker),
        changed.map(({ queue }) => queue),
        changed.map(({ server }) => server),
        changed.map(({ seenAt }) => now - seenAt),
      ]);
      this.failing = false;
    } catch (error) {
      for (const one of changed) one.written = false;
      if (!this.failing) this.logger.warn(`Could not write down which workers ask: ${(error as Error).message}`);
      this.failing = true;
    }
  }
}
