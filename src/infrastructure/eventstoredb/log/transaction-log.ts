import { newId } from '../../../application/kernel/new-id.js';
import {
  type AppendItem,
  type AppendResult,
  type Envelope,
  NO_STREAM,
  type RecordedEvent,
  streamBases,
} from '../../../application/kernel/event-store.port.js';
import { eventCodec } from '../../event-codec/event-codec.js';
import type { AtOnce } from './appends-at-once.js';
import type { EventStoreDbLog } from './eventstoredb-log.js';
import {
  type TransactionAbandoned,
  type TransactionCommitted,
  type TransactionEvent,
  transactionStream,
} from './transaction.events.js';

/** Appends to several streams that are stored together or not at all. */
export interface Transaction {
  readonly id: string;
  readonly items: TransactionCommitted['data']['items'];
  /** The time of all its events. */
  readonly recordedAt: string;
}

type Appended = Extract<AppendResult, { readonly kind: 'appended' }>;

/**
 * Transactions in a store that may append to single streams only. What the server takes at once is stored so. Otherwise
 * one event holds everything that the transaction appends, and storing that event commits it. Then the process that
 * committed it appends the content to the streams, in order; if it is gone, another one finishes the work. Events have
 * fixed ids, so what is stored twice is there once. Until it is done, nobody else may append to those streams.
 *
 * DANGER: a server answers an append whose events another connection is storing at that moment only after its write
 * time-out of two seconds. Nobody but the writer appends what the writer may still be appending.
 */
export class TransactionLog {
  constructor(private readonly log: EventStoreDbLog) {}

  /** Whether the server takes these items at once, as far as that can be known before. */
  takesAtOnce(items: Transaction['items']): Promise<boolean> {
    return this.log.takesAtOnce(items);
  }

  /** Stores a transaction that the server takes at once. Rejects if the outcome stays unknown. */
  storeAtOnce({ id, items, recordedAt }: Transaction): Promise<AtOnce> {
    return this.log.appendAtOnce(items, id, recordedAt);
  }

  /** `conflict` if the transaction was abandoned meanwhile. Rejects if the outcome stays unknown. */
  async commit({ id, items, recordedAt }: Transaction): Promise<AppendResult> {
    const { envelope } = items.find(({ events }) => events.length > 0)!.events[0]!;
    const committed: TransactionCommitted = { type: 'TransactionCommitted', version: 1, data: { items } };
    const [result] = await this.log.append([only(id, committed, envelope)], { recordedAt });
    return result!;
  }

  /**
   * Abandons a transaction unless it is committed. Returns null if it is abandoned, and the transaction if it is
   * committed.
   */
  async end(id: string): Promise<Transaction | null> {
    const abandoned: TransactionAbandoned = { type: 'TransactionAbandoned', version: 1, data: {} };
    const envelope = { actor: 'reservation-cleaner', correlationId: id };
    const [result] = await this.log.append([only(id, abandoned, envelope)]);
    return result!.kind === 'conflict' ? this.find(id) : null;
  }

  /** Appends the items of a transaction that this process has just committed. */
  async store(transaction: Transaction): Promise<readonly Appended[]> {
    const results: Appended[] = [];
    for (const item of transaction.items.keys()) results.push(await this.storeItem(transaction, item));
    return results;
  }

  /** Appends what is missing of a transaction whose writer is gone. Returns the position of its last event. */
  async finish(transaction: Transaction): Promise<bigint> {
    const { items } = transaction;
    let last = 0n;
    for (const item of items.keys()) {
      const seen = await this.log.seenIn(items[item]!);
      if (seen?.kind === 'conflict') throw disturbed(transaction.id, items[item]!);
      last = (seen as Appended | null)?.position ?? (await this.storeItem(transaction, item)).position;
    }
    return last;
  }

  private async storeItem({ id, items, recordedAt }: Transaction, item: number): Promise<Appended> {
    const transaction = { id, item, of: items.length };
    const [result] = await this.log.append([items[item]!], { recordedAt, transaction });
    if (result!.kind === 'conflict' || result!.kind === 'refused') throw disturbed(id, items[item]!);
    return { kind: 'appended', position: result!.position, revision: result!.revision, recordedAt };
  }

  /** The events of the transaction that this one is part of, item by item, as far as they are stored. */
  read(part: RecordedEvent): Promise<readonly (readonly RecordedEvent[])[]> {
    return part.transaction!.atOnce ? this.readAtOnce(part) : this.readCommitted(part.transaction!.id);
  }

  private async readAtOnce(part: RecordedEvent): Promise<readonly (readonly RecordedEvent[])[]> {
    const { id, of } = part.transaction!;
    const events = await this.log.readAtOnce(part);
    const items = Array.from({ length: of! }, (_, item) =>
      events.filter(({ transaction }) => transaction!.item === item),
    );
    const isWhole = items.every((item) => item.length > 0 && !item.at(-1)!.more);
    if (isWhole) return items;
    throw new Error(
      `Expected the log to have all of transaction '${id}' around position ${part.position}, but it has a part`,
    );
  }

  private async readCommitted(id: string): Promise<readonly (readonly RecordedEvent[])[]> {
    const transaction = (await this.find(id))!;
    const bases = streamBases(transaction.items);
    const histories = [...bases].map(
      async ([name, base]) => [name, await this.log.readStream(name, base + 1, countIn(transaction, name))] as const,
    );
    const read = new Map(await Promise.all(histories));
    return transaction.items.map(({ stream, expected, events }) => {
      const at = expected - bases.get(stream)!;
      return read.get(stream)!.slice(at, at + events.length);
    });
  }

  /** The committed transaction; null if it was abandoned. */
  async find(id: string): Promise<Transaction | null> {
    const [[stored]] = (await this.log.readStreams([transactionStream(id)])) as [[RecordedEvent<TransactionEvent>]];
    return transactionIn(id, stored);
  }

  /** The first of the transactions, all of which are committed: as many as have `STEP_BYTES`. */
  async findFirst(ids: readonly string[]): Promise<readonly Transaction[]> {
    const found = (await this.log.readFirst(ids.map(transactionStream))) as [RecordedEvent<TransactionEvent>][];
    return found.map(([stored], at) => transactionIn(ids[at]!, stored)!);
  }
}

function transactionIn(id: string, { event, recordedAt }: RecordedEvent<TransactionEvent>): Transaction | null {
  if (event.type === 'TransactionAbandoned') return null;
  return { id, items: event.data.items.map(asOfToday), recordedAt };
}

/** How many events of the transaction are in the stream. */
const countIn = ({ items }: Transaction, name: string): number =>
  items.reduce((count, { stream, events }) => (stream === name ? count + events.length : count), 0);

const only = (id: string, event: TransactionEvent, envelope: Envelope): AppendItem => ({
  stream: transactionStream(id),
  expected: NO_STREAM,
  events: [{ id: newId(), event, envelope }],
});

/** An earlier version of this program may have committed it. */
const asOfToday = ({ stream, expected, events }: Transaction['items'][number]): Transaction['items'][number] => ({
  stream,
  expected,
  events: events.map(({ event, ...rest }) => ({
    ...rest,
    event: eventCodec.upcast(event.type, event.version, event.data),
  })),
});

const disturbed = (id: string, { stream, expected }: Transaction['items'][number]): Error =>
  new Error(
    `Expected to store transaction '${id}', which is committed, but '${stream}' has other events after revision ${expected}`,
  );
