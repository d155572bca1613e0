import DataLoader from 'dataloader';
import { randomBytes } from 'node:crypto';
import { isConnectionError } from '../../../../application/kernel/connection-errors.js';
import { EventStoreUnavailable } from '../../../../application/kernel/event-store.port.js';
import type { PostgresPool } from '../../../database/postgres-pool.js';
import { KEY_BYTES } from './encryption.js';
import type { MasterKeys } from './master-keys.js';

/** What the database has of a stream: its key or, once that is destroyed, what is left of its halves, by the ids of their events. */
export type ContentKey =
  | { readonly kind: 'known'; readonly key: Buffer }
  | { readonly kind: 'destroyed'; readonly rests: Readonly<Record<string, object>> };

/** A stream, by its UUID, whose events get a key. */
export interface KeyRequest {
  readonly stream: string;
  /** Whether it probably has none. */
  readonly isNew: boolean;
}

interface KeyRow {
  readonly stream: string;
  readonly master: string;
  /** Null once it is destroyed. */
  readonly key: Buffer | null;
  readonly rests: Readonly<Record<string, object>> | null;
}

const MOST_STREAMS = 1_000;

/**
 * The keys of private halves, one a stream. Requests that arrive together share a statement. None is kept in memory, so that one
 * that is destroyed is so for every process at once.
 */
export class ContentKeys {
  private readonly reading = new DataLoader<string, ContentKey | null>((streams) => this.find(streams), {
    cache: false,
    maxBatchSize: MOST_STREAMS,
  });
  private readonly writing = new DataLoader<KeyRequest, ContentKey>((requests) => this.findOrMake(requests), {
    cache: false,
    maxBatchSize: MOST_STREAMS,
  });

  constructor(
    private readonly pool: PostgresPool,
    private readonly masters: MasterKeys,
  ) {}

  /** Null if the stream has none. */
  of(stream: string): Promise<ContentKey | null> {
    return this.reading.load(stream);
  }

  /** Makes one, and commits it, if the stream has none. A destroyed one stays so. */
  ofOrNew(request: KeyRequest): Promise<ContentKey> {
    return this.writing.load(request);
  }

  private async find(streams: readonly string[]): Promise<(ContentKey | null)[]> {
    const found = await this.keysOf('waybill_content_keys', FIND, [[...new Set(streams)]]);
    return streams.map((stream) => found.get(stream) ?? null);
  }

  private async findOrMake(requests: readonly KeyRequest[]): Promise<ContentKey[]> {
    const all = [...new Set(requests.map(({ stream }) => stream))];
    const found = new Map<string, ContentKey>();
    const tried = new Set<string>();
    // Another process may make one at the same time, which shows only to the next statement.
    for (let fresh = all.filter((stream) => requests.some((one) => one.isNew && one.stream === stream)); ;) {
      const lacking = all.filter((stream) => !found.has(stream));
      if (lacking.length === 0) return requests.map(({ stream }) => found.get(stream)!);
      const made = fresh.map((stream) => ({ stream, ...this.masters.wrap(randomBytes(KEY_BYTES), stream) }));
      const columns = [made.map(({ stream }) => stream), made.map(({ master }) => master), made.map(({ key }) => key)];
      for (const [stream, key] of await this.keysOf('waybill_make_content_keys', MAKE, [lacking, ...columns]))
        found.set(stream, key);
      if (fresh.some((stream) => tried.has(stream) && !found.has(stream))) throw replaced();
      for (const stream of fresh) tried.add(stream);
      fresh = all.filter((stream) => !found.has(stream));
    }
  }

  private async keysOf(name: string, text: string, values: unknown[]): Promise<ReadonlyMap<string, ContentKey>> {
    try {
      const { rows } = await this.pool.query<KeyRow & Record<string, unknown>>({ name, text, values });
      return new Map(rows.map((row) => [row.stream, this.keyIn(row)]));
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      throw new EventStoreUnavailable('Expected to read keys in the database, but it does not answer', {
        cause: error,
      });
    }
  }

  private keyIn({ stream, master, key, rests }: KeyRow): ContentKey {
    return key === null
      ? { kind: 'destroyed', rests: rests ?? {} }
      : { kind: 'known', key: this.masters.unwrap({ master, key }, stream) };
  }
}

const replaced = (): Error =>
  new Error(
    "Expected to make a key with the first one of WAYBILL_SUBJECT_KEY_FILE, but 'waybill keys rewrap' has replaced that: restart this process with the file as it is now",
  );

const FIND = 'select stream, master, key, rests from content_keys where stream = any ($1::uuid[])';

/** None with a master key that `rewrapKeys` has replaced: it may have passed by already. */
const MAKE = `with made as (insert into content_keys (stream, master, key) select * from unnest($2::uuid[], $3::text[], $4::bytea[]) n(stream, master, key)
    where not exists (select from content_key_masters m where m.name = n.master and m.state <> 'used') on conflict do nothing returning stream, master, key, rests)
  select * from made union all ${FIND}`;
