import type { TransactionPart } from '../../application/kernel/event-store.port.js';
import type { PostgresConnection } from '../database/postgres-pool.js';
import { ERASABLE } from '../ports/erasable.js';
import type { ErasedStream } from '../ports/erased-stream.js';
import { type ErasedCount, StoredHalves } from '../ports/stored-halves.js';
import type { EventStoreDbLog } from './log/eventstoredb-log.js';
import { transactionStream } from './log/transaction.events.js';
import { historyText } from './reservations/open-history.js';
import { itemsIn } from './log/halves/event-halves.js';
import { encryptedIn } from './log/halves/half-text.js';

/** Encrypted with a key a stream. To erase them destroys the key, and so what every copy of the log has of them. */
export class EncryptedStoredHalves extends StoredHalves {
  constructor(private readonly log: Pick<EventStoreDbLog, 'readStoredStream'>) {
    super();
  }

  async storedWhole(streams: readonly ErasedStream[]): Promise<ReadonlySet<string>> {
    const whole = new Set<string>();
    for (const one of streams) if (await this.isStoredWhole(one)) whole.add(one.id);
    return whole;
  }

  async erase(connection: PostgresConnection, streams: readonly ErasedStream[]): Promise<readonly ErasedCount[]> {
    const histories = JSON.stringify(
      streams.map(({ id, history }) => ({ id, revision: history.at(-1)!.revision, events: historyText(history) })),
    );
    for (const text of OTHERS) {
      const { rows: others } = await connection.query(text, [histories]);
      if (others.some(({ is_other }) => is_other))
        throw new Error(
          'Expected the index to know the same events of a stream as the log, but one is behind the other',
        );
    }
    await connection.query(KEEP, [histories]);
    await connection.query(FORGET, [streams.map(({ id }) => id)]);
    const keys = streams.map(({ id, halves }) => ({ stream: id, rests: restsOf(halves), halves: halves.length }));
    const { rows } = await connection.query(DESTROY, [JSON.stringify(keys)]);
    return rows as ErasedCount[];
  }

  /** A stream whose halves are gone already has them nowhere. */
  private async isStoredWhole({ name, halves }: ErasedStream): Promise<boolean> {
    const hidden = new Set(halves.map(({ id }) => id));
    const stored = await this.log.readStoredStream(name);
    const transactions = stored.flatMap(({ resolved: { event } }) => committedBy(event!.metadata));
    const copies = await Promise.all([...new Set(transactions)].map((id) => this.committed(id)));
    const events = stored.map(({ resolved: { event } }) => ({ id: event!.id, data: event!.data }));
    return [...events, ...copies.flat()].some(({ id, data }) => hidden.has(id) && encryptedIn(data) === null);
  }

  /** What the event that committed a transaction has. A process without keys may have stored it. */
  private async committed(id: string): Promise<readonly { readonly id: string; readonly data: unknown }[]> {
    const [stored] = await this.log.readStoredStream(transactionStream(id));
    const items = itemsIn(stored?.resolved.event!.data);
    return items.flatMap(({ events }) => events.map((one) => ({ id: one.id, data: one.event.data })));
  }
}

function committedBy(metadata: unknown): readonly string[] {
  const { transaction } = (metadata ?? {}) as { readonly transaction?: TransactionPart | string };
  const part = typeof transaction === 'string' ? (JSON.parse(transaction) as TransactionPart) : transaction;
  return part && !part.atOnce ? [part.id] : [];
}

const restsOf = (halves: ErasedStream['halves']): Readonly<Record<string, unknown>> =>
  Object.fromEntries(halves.filter(({ rest }) => rest !== '').map(({ id, rest }) => [id, JSON.parse(rest)]));

/** $1: the streams with their last revisions. Locks their rows: what the index applies meanwhile would bring contents back. */
const OTHERS = Object.values(ERASABLE).map(
  ({
    tables: [table],
    id,
  }) => `select r.revision <> h.revision as is_other from jsonb_to_recordset($1) as h(id uuid, revision int)
  join ${table} r on r.${id} = h.id order by h.id for update of r`,
);

/** A failed task keeps its history at hand, which is that of the log then. */
const KEEP = `update open_histories o set events = h.events from jsonb_to_recordset($1) as h(id uuid, events text) where o.task_id = h.id`;

/** Nobody can restore an erased task. */
const FORGET = 'delete from ended_histories where task_id = any ($1::uuid[])';

/** The row stays, so that nobody makes another key for what the store has. */
const DESTROY = `update content_keys k set key = null, rests = d.rests from jsonb_to_recordset($1) as d(stream uuid, rests jsonb, halves int)
  where k.stream = d.stream and k.key is not null returning k.stream, d.halves`;
