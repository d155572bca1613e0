import { type AppendConditions, type AppendItem, streamBases } from '../../application/kernel/event-store.port.js';
import { RecordArray } from '../database/record-parameters.js';
import { statement } from '../database/sql.js';
import { streamKey } from '../database/stream-key.js';
import type { IndexChange } from '../dispatch-index/changes/index-change.js';
import { guardsBefore, guardsInTurn } from '../dispatch-index/guards.js';
import { indexChange, orderedChange } from '../dispatch-index/index-changes.js';
import { CLAIM, CLAIM_REQUEST, CREATE, type Create, SUCCESS, type Success } from '../dispatch-index/task-records.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import { CHANGE, CHECK, QUEUE_GUARD } from './append-records.js';
import { type SegmentParameters, Segments } from './append-segments.js';
import { effectOrder } from './effect-order.js';

/** The parameters of `waybill_append`, where they are described. */
export interface AppendParameters extends SegmentParameters {
  readonly checks: Buffer;
  readonly guards: Buffer;
  readonly creates: Buffer;
  readonly claims: Buffer;
  readonly requests: Buffer;
  readonly successes: Buffer;
  readonly changes: Buffer;
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
interface ItemNumbers {
  readonly item: number;
  readonly first: number;
  readonly last: number;
}

type ChangeOf<K extends IndexChange['kind']> = Extract<IndexChange, { readonly kind: K }>;

/** The usual bytes of a record of each kind. */
const SIZE = { check: 100, create: 250, claim: 130, success: 120, change: 400, shared: 150 };
const FEW = 8;

class AppendArguments {
  private items = 0;
  private readonly segments: Segments;
  private readonly guards = new QueueGuards();
  private readonly checks = new RecordArray(CHECK, FEW, SIZE.check);
  private readonly creates = new RecordArray(CREATE, FEW, SIZE.create);
  private readonly claims = new Claims();
  private readonly successes = new RecordArray(SUCCESS, FEW, SIZE.success);
  private readonly changes = new RecordArray(CHANGE, 0, SIZE.change);
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
      changes: this.changes.value(),
      conditions: json(this.conditions),
      names: json(this.names),
      picked,
      atomic,
    };
  }

  /**
   * Most items have only the condition on their queue, so the revision of each queue is checked once for all of them.
   */
  private addConditions({ item, last }: ItemNumbers, given: AppendItem): void {
    const { queue, queueRevisions, leader, idempotencyKey } = given.conditions ?? {};
    if (queue) this.guards.add(queue, item);
    if (!queueRevisions && !leader && !idempotencyKey) return;
    const { queue: _guarded, ...others } = guardsBefore(given);
    this.conditions.push({ i: item, last, ...others });
  }

  /** Records are written as literals: spreading another object into one took 2.4 us more than the rest of its item. */
  private addChange(place: ItemNumbers, stream: string, item: AppendItem, change: IndexChange, base: number): void {
    if (change.kind === 'create') this.creates.add(createOf(place, stream, change));
    else if (change.kind === 'claim') this.claims.add(place, stream, item, change);
    else if (change.kind === 'succeed') this.successes.add(successOf(place, stream, item, change));
    else this.addMove(place, stream, item, change, base);
  }

  private addMove(
    { item: i, first, last }: ItemNumbers,
    stream: string,
    item: AppendItem,
    change: ChangeOf<'move' | 'row' | 'none'>,
    base: number,
  ): void {
    this.checks.add({ item: i, stream, base, first, last });
    if (change.kind === 'none') return;
    this.changes.add({
      item: i,
      stream,
      first,
      last,
      revision: item.expected + item.events.length,
      move: change.kind === 'move' ? change.move : null,
      row: change.kind === 'row' ? change.row : null,
      model: change.kind === 'row' ? change.table : null,
      guards: change.kind === 'row' ? guardsInTurn(item) : null,
    });
  }
}

const createOf = ({ item, first }: ItemNumbers, task: string, { data }: ChangeOf<'create'>): Create => ({
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
  step: data.steps?.[0] ?? null,
});

const successOf = (
  { item, first }: ItemNumbers,
  task: string,
  { expected }: AppendItem,
  { data, secret }: ChangeOf<'succeed'>,
): Success => ({ item, task, expected, first, token: data.token, secret });

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

  add({ item, first }: ItemNumbers, task: string, given: AppendItem, { data }: ChangeOf<'claim'>): void {
    const { token, attempt, runUntil: until = null } = data;
    const request = this.request(data, given);
    this.claims.add({ item, task, expected: given.expected, first, token, attempt, request, until });
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
