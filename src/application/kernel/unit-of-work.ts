import { taskStream } from '../../domain/task/task.stream.js';
import type { Dispute } from './disputes.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import {
  type AppendConditions,
  type AppendItem,
  type AppendResult,
  type EventStore,
  type IdempotencyKey,
  NO_STREAM,
  type RecordedAnswer,
  type RecordedEvent,
  streamBases,
  type TooLarge,
} from './event-store.port.js';

/** The store's result for an append that it did not store. */
export type Objection = Extract<AppendResult, { readonly kind: 'conflict' | 'refused' }>;

export type Committed =
  /** `position`: that of the last event or, if nothing was recorded, of the newest event that a command read. */
  | { readonly kind: 'committed'; readonly position: bigint }
  /** Another request took the idempotency key first. */
  | { readonly kind: 'repeated'; readonly recorded: RecordedAnswer }
  /** The transaction is larger than the store accepts. */
  | ({ readonly kind: 'tooLarge' } & TooLarge)
  /**
   * The objections by the place of the append, the streams that have moved on or whose rows are wrong, and the queues that have changed
   * or whose rows are wrong. Nothing was stored.
   */
  | {
      readonly kind: 'refused';
      readonly objections: Objections;
      readonly disputes: readonly Dispute[];
      readonly changed: readonly QueueRevision[];
    };

/** What a unit would store in a stream, and what it found there. */
export interface UnitPart {
  readonly stream: string;
  readonly before: readonly RecordedEvent[];
  readonly appended: readonly RecordedEvent[];
}

type QueueRevision = NonNullable<AppendConditions['queue']>;

export type Objections = ReadonlyMap<AppendPlace, Objection>;

/**
 * A command by its number, a stream, and the revision at which the command appends to it. In the next round the stream
 * may have moved on, and another command may append at that revision.
 */
type AppendPlace = `${number} ${string} ${number}`;

/**
 * Stands in for the event store while the commands of a transaction run. Each command reads what those before it
 * recorded. Nothing is stored before `commit`, which also demands that every stream is still as it was read.
 *
 * Only the commit can check conditions. If it raises objections, the same commands run again in a second unit that
 * knows them: it answers the append in question with the store's objection, so that the command handles it like any
 * refused append.
 */
export class UnitOfWork {
  private readonly found = new Map<string, readonly RecordedEvent[]>();
  private readonly items: AppendItem[] = [];
  /** The place of each item. */
  private readonly places: AppendPlace[] = [];
  /** The items of each stream, in order. */
  private readonly changed = new Map<string, AppendItem[]>();
  private readonly objections: Map<AppendPlace, Objection>;
  private readonly afterwards: (() => Promise<void>)[] = [];
  private command = 0;
  /** Whether it will never be committed. */
  readonly isPreview: boolean = false;

  constructor(
    private readonly store: EventStore,
    objections: Objections = new Map(),
  ) {
    this.objections = new Map(objections);
  }

  /** Attributes the appends that follow to this command. A command has the same number in every unit. */
  begin(command: number): void {
    this.command = command;
  }

  /** Like `EventStore.readStreams`, plus the events that this unit will store, which have no position yet. */
  async readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    const unread = streams.filter((stream) => !this.found.has(stream) && !this.changes(stream));
    const read = await this.store.readStreams(unread);
    unread.forEach((stream, index) => this.found.set(stream, read[index]!));
    return streams.map((stream) => [...(this.found.get(stream) ?? []), ...this.recorded(stream)]);
  }

  readFirst(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.readStreams(streams);
  }

  /** Like `EventStore.append`, but keeps the items for the commit. */
  append(items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    return Promise.resolve(items.map((item) => this.keep(item)));
  }

  /** Work on streams that the transaction may hold, whether or not it is stored. */
  after(work: () => Promise<void>): void {
    this.afterwards.push(work);
  }

  /** Does what was put off. The caller holds no stream any more. */
  async end(): Promise<void> {
    for (const work of this.afterwards.splice(0)) await work();
  }

  /** The streams that this unit appends to, in the order of their first appends. */
  parts(): readonly UnitPart[] {
    return [...this.changed.keys()].map((stream) => ({
      stream,
      before: this.found.get(stream) ?? [],
      appended: this.recorded(stream),
    }));
  }

  /** Whether this unit appends to the stream. */
  changes(stream: string): boolean {
    return this.changed.has(stream);
  }

  /**
   * Stores everything or nothing. The last item takes the key, so that the key's row has the position of the whole
   * transaction.
   */
  async commit(key?: IdempotencyKey): Promise<Committed> {
    if (this.items.length === 0) return { kind: 'committed', position: this.newest() };
    const outdated = this.outdated();
    if (outdated.size > 0) return { kind: 'refused', objections: outdated, disputes: [], changed: [] };
    const items = [...this.lookedAt(), ...this.items.map((item) => this.withoutOwnGuards(item))];
    const last = items.length - 1;
    items[last] = { ...items[last]!, conditions: { ...items[last]!.conditions, idempotencyKey: key } };
    const results = await this.store.append(items, { atomic: true });
    const end = results[last]!;
    if (end.kind === 'appended' || end.kind === 'duplicate') return { kind: 'committed', position: end.position };
    if (end.kind === 'refused' && end.constraint === 'idempotency-key')
      return { kind: 'repeated', recorded: end.recorded };
    if (end.kind === 'refused' && end.constraint === 'too-large')
      return { kind: 'tooLarge', bytes: end.bytes, limit: end.limit };
    const ofItems = results.slice(-this.items.length);
    const objections = this.objectionsBy((item, index) => objectionIn(ofItems[index]!, item));
    return { kind: 'refused', objections, disputes: disputesIn(items, results), changed: changedIn(items, results) };
  }

  /** The streams of others that this unit appends to, and those of the tasks that have what it wants. */
  metIn(objections: Objections): readonly string[] {
    const existing = this.items.filter(({ expected }) => expected !== NO_STREAM).map(({ stream }) => stream);
    const owners = [...objections.values()].flatMap((one) =>
      one.kind === 'refused' && 'taskId' in one ? [taskStream(one.taskId)] : [],
    );
    return [...new Set([...existing, ...owners])];
  }

  protected keep(item: AppendItem): AppendResult {
    const { stream, expected, events } = item;
    const place: AppendPlace = `${this.command} ${stream} ${expected}`;
    const objection = this.objections.get(place);
    this.objections.delete(place);
    if (objection) return objection;
    const before = this.changed.get(stream);
    const actual = before ? lastRevision(before.at(-1)!) : this.revisionFound(stream);
    if (actual !== expected) return { kind: 'conflict', actual };
    this.items.push(item);
    this.places.push(place);
    if (before) before.push(item);
    else this.changed.set(stream, [item]);
    return { kind: 'appended', position: 0n, revision: expected + events.length, recordedAt: '' };
  }

  private revisionFound(stream: string): number {
    return this.found.get(stream)?.at(-1)?.revision ?? NO_STREAM;
  }

  private recorded(stream: string): readonly RecordedEvent[] {
    return (this.changed.get(stream) ?? []).flatMap(recordedBy);
  }

  /** Items for the streams that were only read, because the decisions must still hold at the commit. */
  private lookedAt(): AppendItem[] {
    const unwritten = [...this.found.keys()].filter((stream) => !this.changes(stream));
    return unwritten.map((stream) => ({ stream, expected: this.revisionFound(stream), events: [] }));
  }

  /** Objections to appends that were decided by a queue before this unit changed it. */
  private outdated(): Objections {
    return this.objectionsBy(({ conditions }) => {
      const changed = conditions?.queue && this.changed.get(queueStream(conditions.queue.name));
      return changed && conditions.queue!.revision < changed[0]!.expected ? QUEUE_CHANGED : null;
    });
  }

  private objectionsBy(objectionTo: (item: AppendItem, index: number) => Objection | null): Objections {
    const objections = new Map<AppendPlace, Objection>();
    this.items.forEach((item, index) => {
      const objection = objectionTo(item, index);
      if (objection) objections.set(this.places[index]!, objection);
    });
    return objections;
  }

  /**
   * Removes conditions on a queue that this unit changes: the queue's own item expects its revision, and every decision
   * used that revision or the change.
   */
  protected withoutOwnGuards(item: AppendItem): AppendItem {
    const { queue, queueRevisions, ...rest } = item.conditions ?? {};
    const isOwn = ({ name }: { readonly name: string }): boolean => this.changes(queueStream(name));
    const conditions = {
      ...rest,
      ...(queue && !isOwn(queue) && { queue }),
      ...(queueRevisions && { queueRevisions: queueRevisions.filter((other) => !isOwn(other)) }),
    };
    return { ...item, conditions };
  }

  private newest(): bigint {
    const positions = [...this.found.values()].map((events) => events.at(-1)?.position ?? 0n);
    return positions.reduce((most, position) => (position > most ? position : most), 0n);
  }
}

const lastRevision = ({ expected, events }: AppendItem): number => expected + events.length;

const QUEUE_CHANGED: Objection = { kind: 'refused', constraint: 'queue-changed' };

const recordedBy = ({ stream, expected, events }: AppendItem): readonly RecordedEvent[] =>
  events.map(({ id, event, envelope }, index) => {
    const revision = expected + 1 + index;
    return { position: 0n, stream, revision, id, recordedAt: '', event, envelope };
  });

/** By the revisions before the append. An item that failed only because another did is at its own. */
function disputesIn(items: readonly AppendItem[], results: readonly AppendResult[]): readonly Dispute[] {
  const bases = streamBases(items);
  return items.flatMap(({ stream, expected: own }, at) => {
    const [result, expected] = [results[at]!, bases.get(stream)!];
    if (result.kind !== 'conflict' || result.actual === own || result.actual === expected) return [];
    return [{ stream, expected, actual: result.actual }];
  });
}

/** The queues that appends were decided by which were refused because one of them changed. */
const changedIn = (items: readonly AppendItem[], results: readonly AppendResult[]): readonly QueueRevision[] =>
  items.flatMap(({ conditions }, at) => {
    const result = results[at]!;
    if (result.kind !== 'refused' || result.constraint !== 'queue-changed') return [];
    return [...(conditions?.queue ? [conditions.queue] : []), ...(conditions?.queueRevisions ?? [])];
  });

/**
 * An item that failed only because another did is answered with a conflict at the revision that it expects. That is no
 * objection.
 */
function objectionIn(result: AppendResult, { expected }: AppendItem): Objection | null {
  if (result.kind !== 'conflict' && result.kind !== 'refused') return null;
  return result.kind === 'conflict' && result.actual === expected ? null : result;
}
