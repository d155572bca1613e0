import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PostgresPool } from '../database/postgres-pool.js';

/** How long an item rests after its first failure, which doubles with each further one, and the longest rest. */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 300_000;
/** If more fail, those that have failed least recently are tried again at once. */
const MOST = 1_000;
const MOST_TEXT = 1_000;

interface Failing {
  readonly chore: string;
  readonly id: string;
  readonly tries: number;
  /** By the process's monotonic clock. */
  readonly until: number;
}

/**
 * What the sweeper could not deal with. An item rests longer after each failure, while all others go on. The rows tell
 * people which; a sweeper that starts tries everything again.
 */
@Injectable()
export class FailingItems {
  private readonly logger = new Logger('Sweeper');
  private readonly items = new LRUCache<string, Failing>({ max: MOST });

  constructor(private readonly pool: PostgresPool) {}

  get size(): number {
    return this.items.size;
  }

  /** The items of a chore that have failed. */
  of(chore: string): readonly string[] {
    return [...this.items.values()].flatMap((item) => (item.chore === chore ? item.id : []));
  }

  async clear(): Promise<void> {
    this.items.clear();
    await this.pool.query('delete from failing_items');
  }

  /** Whether the item failed and rests. */
  rests(chore: string, id: string): boolean {
    return (this.items.peek(keyOf(chore, id))?.until ?? 0) > performance.now();
  }

  async failed(chore: string, id: string, error: unknown): Promise<void> {
    const tries = (this.items.peek(keyOf(chore, id))?.tries ?? 0) + 1;
    const restMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (tries - 1));
    this.items.set(keyOf(chore, id), { chore, id, tries, until: performance.now() + restMs });
    const { message } = error as Error;
    this.logger.error(`Expected to ${chore}, but failed on '${id}': ${message}. It is tried again in ${restMs} ms`);
    await this.pool.query(FAILED, [chore, id, message.slice(0, MOST_TEXT), tries]);
  }

  /** Forgets the items, if they failed before: they are done, or no longer due. */
  async forget(chore: string, ids: readonly string[]): Promise<void> {
    const mended = ids.filter((id) => this.items.delete(keyOf(chore, id)));
    if (mended.length > 0)
      await this.pool.query('delete from failing_items where chore = $1 and item = any ($2)', [chore, mended]);
  }
}

const keyOf = (chore: string, id: string): string => `${chore} ${id}`;

const FAILED = `insert into failing_items (chore, item, error, tries) values ($1, $2, $3, $4)
  on conflict (chore, item) do update set error = excluded.error, tries = excluded.tries, failed_at = now()`;
