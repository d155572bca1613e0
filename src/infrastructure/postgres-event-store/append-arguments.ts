import {
  type AppendConditions,
  type AppendItem,
  type Envelope,
  streamBases,
} from '../../application/kernel/event-store.port.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import { RecordArray } from '../database/record-parameters.js';
import { statement } from '../database/sql.js';
import { streamKey } from '../database/stream-key.js';
import type { IndexChange } from '../dispatch-index/changes/index-change.js';
import { guardsBefore, guardsInTurn } from '../dispatch-index/guards.js';
import { indexChange, orderedChange } from '../dispatch-index/index-changes.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import {
  CHECK,
  CLAIM,
  CLAIM_REQUEST,
  CREATE,
  type Create,
  EVENT_KIND,
  QUEUE_GUARD,
  SEGMENT,
  type SegmentRecord,
  SUCCESS,
  type Success,
} from './append-records.js';
import { effectOrder } from './effect-order.js';

/** The parameters of `waybill_append`, where they are described. */
export interface AppendParameters {
  readonly segments: Buffer;
  readonly kinds: Buffer;
  readonly envelopes: readonly string[];
  readonly checks: Buffer;
  readonly guards: Buffer;
  readonly creates: Buffer;
  readonly claims: Buffer;
  readonly requests: Buffer;
  readonly successes: Buffer;
  readonly changes: string | null;
  readonly conditions: string | null;
  readonly names: string | null;
  readonly picked: boolean;
  readonly atomic: boolean;
}

export const APPEND = statement<AppendParameters>(
  'waybill_append',
  `select * from waybill_append(:segments, :kinds, :envelopes, :checks, :guards, :creates, :claims, :requests, :successes,
    :changes, :conditions, :names, :picked, :atomic)`,
);

export interface AppendMode {
  readonly atomic: boolean;
  /** Whether this transaction has already taken the claims' tasks out of the ready lane. */
  readonly picked: boolean;
}

export interface AppendCall {
  readonly parameters: AppendParameters;
  /** The items' indexes in the order of their positions. An atomic append keeps the given order. */
  readonly order: readonly number[];
}

export function appendCall(items: readonly AppendItem[], codec: EventCodec, mode: AppendMode): AppendCall {
  const args = new AppendArguments(codec);
  const changes = items.map(mode.atomic ? orderedChange : indexChange);
  const order = mode.atomic ? [...items.keys()] : effectOrder(changes);
  const bases = mode.atomic ? streamBases(items) : null;
  for (const at of order) {
    const item = items[at]!;
    args.add(item, changes[at]!, bases?.get(item.stream) ?? item.expected);
  }
  return { parameters: args.parameters(mode), order };
}

const json = (values: readonly unknown[]): string | null => (values.length > 0 ? JSON.stringify(values) : null);

/** The numbers of an item, of its first event and of its last event, all from 1. */
interface Place {
  readonly item: number;
  readonly first: number;
  readonly last: number;
}

type ChangeOf<K extends IndexChange['kind']> = Extract<IndexChange, { readonly kind: K }>;

/** The usual bytes of a record of each kind. */
const SIZE = { segment: 500, check: 100, create: 250, claim: 130, success: 120, shared: 150 };
const FEW = 8;

class AppendArguments {
  private items = 0;
  private readonly segments: Segments;
  private readonly guards = new QueueGuards();
  private readonly checks = new RecordArray(CHECK, FEW, SIZE.check);
  private readonly creates = new RecordArray(CREATE, FEW, SIZE.create);
  private readonly claims = new Claims();
  private readonly successes = new RecordArray(SUCCESS, FEW, SIZE.success);
  private readonly changes: object[] = [];
  private readonly conditions: object[] = [];
  private readonly names: object[] = [];

  constructor(codec: EventCodec) {
    this.segments = new Segments(codec);
  }

  /** `base`: the revision of the item's stream before any of the items. */
  add(item: AppendItem, change: IndexChange, base: number): void {
    const { id, category, named } = streamKey(item.stream);
    const place = {
      item: ++this.items,
      first: this.segments.count + 1,
      last: this.segments.count + item.events.length,
    };
    if (named && item.expected < 0) this.names.push({ stream: id, name: item.stream });
    this.segments.add(place.item, id, item, category);
    this.addConditions(place, item);
    this.addChange(place, id, item, change, base);
  }

  parameters({ atomic, picked }: AppendMode): AppendParameters {
    return {
      ...this.segments.parameters(),
      checks: this.checks.value(),
      guards: this.guards.value(),
      creates: this.creates.value(),
      ...this.claims.parameters(),
      successes: this.successes.value(),
      changes: json(this.changes),
      conditions: json(this.conditions),
      names: json(this.names),
      picked,
      atomic,
    };
  }

  /**
   * Most items have only the condition on their queue, so the revision of each queue is checked once for all of them.
   */
  private addConditions({ item, last }: Place, given: AppendItem): void {
    const { queue, queueRevisions, idempotencyKey } = given.conditions ?? {};
    if (queue) this.guards.add(queue, item);
    if (!queueRevisions && !idempotencyKey) return;
    const { queue: _guarded, ...others } = guardsBefore(given);
    this.conditions.push({ i: item, last, ...others });
  }

  /** Records are written as literals: spreading another object into one took 2.4 us more than the rest of its item. */
  private addChange(place: Place, stream: string, item: AppendItem, change: IndexChange, base: number): void {
    if (change.kind === 'create') this.creates.add(createOf(place, stream, change));
    else if (change.kind === 'claim') this.claims.add(place, stream, item, change);
    else if (change.kind === 'succeed') this.successes.add(successOf(place, stream, item, change));
    else this.addMove(place, stream, item, change, base);
  }

  private addMove(
    { item: i, first, last }: Place,
    stream: string,
    item: AppendItem,
    change: ChangeOf<'move' | 'row' | 'none'>,
    base: number,
  ): void {
    this.checks.add({ item: i, stream, base, first, last });
    const where = { i, stream, first, last, revision: item.expected + item.events.length };
    if (change.kind === 'move') this.changes.push({ ...where, ...change.move });
    else if (change.kind === 'row')
      this.changes.push({ ...where, table: change.table, row: change.row, ...guardsInTurn(item) });
  }
}

const createOf = ({ item, first }: Place, task: string, { data }: ChangeOf<'create'>): Create => ({
  item,
  task,
  first,
  queue: data.queue,
  kind: data.kind,
  key: data.key ?? null,
  priority: data.priority ?? 0,
  labels: data.labels ? JSON.stringify(data.labels) : null,
  description: data.description ?? null,
  due: data.dueAt ?? null,
  batch: data.batch ?? null,
});

const successOf = (
  { item, first }: Place,
  task: string,
  { expected }: AppendItem,
  { data, secret }: ChangeOf<'succeed'>,
): Success => ({ item, task, expected, first, token: data.token, secret });

const MAX_EVENTS = 64;
/** Of events of some KiB, a segment has fewer, because it is read as a whole. */
const MOST_TEXT = 128 * 1024;

/** The events of one kind and envelope that were gathered so far. */
interface OpenSegment {
  readonly first: number;
  readonly kind: number;
  readonly envelope: number;
  readonly type: string;
  readonly version: number;
  readonly data: object[];
  readonly items: number[];
  readonly streams: string[];
  readonly revisions: number[];
  readonly ids: string[];
}

/** The rows of the log. What many of them have in common is passed once, and referred to by its number from 1. */
class Segments {
  private readonly segments: OpenSegment[] = [];
  private readonly kinds = new RecordArray(EVENT_KIND, FEW, SIZE.shared);
  private readonly kindOf = new Map<string, number>();
  private readonly envelopes = new Map<Envelope, number>();
  private readonly meta: string[] = [];
  count = 0;

  constructor(private readonly codec: EventCodec) {}

  add(item: number, stream: string, { events, expected }: AppendItem, category: string): void {
    let revision = expected;
    for (const { id, event, envelope } of events) {
      const segment = this.segmentFor(event, category, this.envelope(envelope));
      segment.data.push(event.data);
      segment.items.push(item);
      segment.streams.push(stream);
      segment.revisions.push(++revision);
      segment.ids.push(id);
      this.count++;
    }
  }

  parameters(): Pick<AppendParameters, 'segments' | 'kinds' | 'envelopes'> {
    const records = new RecordArray(SEGMENT, this.segments.length, SIZE.segment);
    for (const segment of this.segments) this.encode(segment, records);
    return { segments: records.value(), kinds: this.kinds.value(), envelopes: this.meta };
  }

  private encode(segment: OpenSegment, records: RecordArray<SegmentRecord>): void {
    const { first, kind, envelope, type, version, data, items, streams, ids } = segment;
    const { shared, lines } = this.codec.encodeAll(type, version, data);
    if (lines.length > MOST_TEXT && data.length > 1) {
      const parts = Math.ceil(lines.length / MOST_TEXT);
      for (const part of partsOf(segment, Math.ceil(data.length / parts))) this.encode(part, records);
      return;
    }
    const revisions = storedRevisions(segment.revisions);
    records.add({ first, kind, envelope, shared, data: lines, items, streams, revisions, ids });
  }

  /** Tasks are found through their rows. Other streams are found through an index over segments of one event. */
  private segmentFor({ type, version }: DomainEvent, category: string, envelope: number): OpenSegment {
    const kind = this.kind(type, version, category);
    const open = this.segments[this.segments.length - 1];
    if (
      category === TASK_CATEGORY &&
      open?.kind === kind &&
      open.envelope === envelope &&
      open.data.length < MAX_EVENTS
    ) {
      return open;
    }
    const lists = { data: [], items: [], streams: [], revisions: [], ids: [] };
    const segment = { first: this.count + 1, kind, envelope, type, version, ...lists };
    this.segments.push(segment);
    return segment;
  }

  private kind(type: string, version: number, category: string): number {
    const name = `${category} ${type}`;
    const known = this.kindOf.get(name);
    if (known !== undefined) return known;
    this.kinds.add({ category, type, version });
    this.kindOf.set(name, this.kinds.length);
    return this.kinds.length;
  }

  private envelope(envelope: Envelope): number {
    const known = this.envelopes.get(envelope);
    if (known !== undefined) return known;
    const number = this.meta.push(JSON.stringify(envelope));
    this.envelopes.set(envelope, number);
    return number;
  }
}

function* partsOf(segment: OpenSegment, size: number): Generator<OpenSegment> {
  const { first, data, items, streams, revisions, ids } = segment;
  for (let from = 0; from < data.length; from += size) {
    const to = from + size;
    const lists = { data: data.slice(from, to), items: items.slice(from, to), streams: streams.slice(from, to) };
    yield { ...segment, ...lists, first: first + from, revisions: revisions.slice(from, to), ids: ids.slice(from, to) };
  }
}

class QueueGuards {
  private readonly items = new Map<string, { readonly name: string; readonly revision: number; items: number[] }>();

  add({ name, revision }: NonNullable<AppendConditions['queue']>, item: number): void {
    const key = `${revision} ${name}`;
    const guard = this.items.get(key);
    if (guard) guard.items.push(item);
    else this.items.set(key, { name, revision, items: [item] });
  }

  value(): Buffer {
    const guards = new RecordArray(QUEUE_GUARD, this.items.size, SIZE.shared);
    for (const guard of this.items.values()) guards.add(guard);
    return guards.value();
  }
}

class Claims {
  private readonly claims = new RecordArray(CLAIM, FEW, SIZE.claim);
  private readonly requests = new RecordArray(CLAIM_REQUEST, 1, SIZE.shared);
  private readonly numbers = new Map<string, number>();

  add({ item, first }: Place, task: string, given: AppendItem, { data }: ChangeOf<'claim'>): void {
    const { token, attempt } = data;
    const request = this.request(data, given);
    this.claims.add({ item, task, expected: given.expected, first, token, attempt, request });
  }

  parameters(): Pick<AppendParameters, 'claims' | 'requests'> {
    return { claims: this.claims.value(), requests: this.requests.value() };
  }

  private request(data: ChangeOf<'claim'>['data'], { leaseSecret, leaseHolder }: AppendItem): number {
    const known = this.numbers.get(data.claimId);
    if (known !== undefined) return known;
    const { claimId, queue, worker, server, leaseMs, claimedAt } = data;
    this.requests.add({
      claim_id: claimId,
      queue,
      worker,
      server,
      holder: leaseHolder ?? null,
      secret: leaseSecret ?? null,
      lease_ms: leaseMs,
      started: claimedAt,
    });
    this.numbers.set(claimId, this.requests.length);
    return this.requests.length;
  }
}

/** As `segments` has them: null if all are 0, one for all if they are alike, and otherwise all of them. */
function storedRevisions(revisions: readonly number[]): readonly number[] | null {
  const [first] = revisions as [number];
  if (revisions.some((revision) => revision !== first)) return revisions;
  return first === 0 ? null : [first];
}
