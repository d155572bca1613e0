import { type AppendItem, type Envelope, streamBases } from '../../application/kernel/event-store.port.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { IndexChange } from '../dispatch-index/changes/index-change.js';
import { indexChange, orderedChange } from '../dispatch-index/index-changes.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import { effectOrder } from './effect-order.js';
import { Int4Array, Int8Array, TextArray, TimestampArray, UuidArray } from '../database/array-parameters.js';
import { streamKey } from '../database/stream-key.js';

export interface AppendMode {
  readonly atomic: boolean;
  /** The claims' tasks left the ready lane in this transaction already. */
  readonly picked: boolean;
}

/** A call of `waybill_append`. */
export interface AppendCall {
  /** Its parameters, in its order. */
  readonly values: unknown[];
  /** The items' indexes in the order of their positions; as they were given where they are atomic. */
  readonly order: readonly number[];
}

export function appendCall(items: readonly AppendItem[], codec: EventCodec, mode: AppendMode): AppendCall {
  const args = new AppendArguments(codec, items.length);
  const changes = items.map(mode.atomic ? orderedChange : indexChange);
  const order = mode.atomic ? [...items.keys()] : effectOrder(changes);
  const bases = mode.atomic ? streamBases(items) : null;
  for (const at of order) {
    const item = items[at]!;
    args.add(item, changes[at]!, bases?.get(item.stream) ?? item.expected);
  }
  return { values: args.list(mode), order };
}

const json = (values: readonly unknown[]): string | null => (values.length > 0 ? JSON.stringify(values) : null);

/** How many parameters `list` gives: the statement's text is made from it. */
export const APPEND_PARAMETERS = 46;

const DATA_BYTES = 256;
const NAME_BYTES = 24;

/** The conditions that few appends have. */
const RULES = ['idempotencyKey', 'queueRevisions'] as const;

class AppendArguments {
  private readonly streams: UuidArray;
  private readonly expected: Int4Array;
  private readonly first: Int4Array;
  private readonly check = new Int4Array(8);
  private readonly checkedBase = new Int4Array(8);
  private readonly guardOf: Int4Array;
  private readonly conditions = new Map<string, number>();
  private readonly guardNames = new TextArray(4, NAME_BYTES);
  private readonly guardRevisions = new Int4Array(4);
  private readonly events: Events;
  private readonly creates = new Creates();
  private readonly claims = new Claims();
  private readonly successes = new Successes();
  private readonly moves: object[] = [];
  private readonly queues: object[] = [];
  private readonly rules: object[] = [];
  private readonly names: object[] = [];

  constructor(codec: EventCodec, size: number) {
    this.streams = new UuidArray(size);
    this.expected = new Int4Array(size);
    this.first = new Int4Array(size);
    this.guardOf = new Int4Array(size);
    this.events = new Events(codec, size);
  }

  /** `base`: the revision of its stream before any of the items. */
  add(item: AppendItem, change: IndexChange, base: number): void {
    const key = streamKey(item.stream);
    this.streams.add(key.id);
    this.expected.add(item.expected);
    this.first.add(this.events.count + 1);
    this.guardOf.add(this.queueGuard(item));
    if (key.named && item.expected < 0) this.names.push({ stream: key.id, name: item.stream });
    this.events.add(this.streams.length, item, key.category);
    this.addRules(item);
    this.addChange(item, change, base);
  }

  list({ atomic, picked }: AppendMode): unknown[] {
    return [
      this.streams.value(),
      this.expected.value(),
      this.first.value(),
      this.check.value(),
      this.checkedBase.value(),
      this.guardOf.value(),
      this.guardNames.value(),
      this.guardRevisions.value(),
      ...this.events.list(),
      ...this.creates.list(),
      ...this.claims.list(picked),
      ...this.successes.list(),
      json(this.moves),
      json(this.queues),
      json(this.rules),
      json(this.names),
      atomic,
    ];
  }

  private queueGuard({ conditions }: AppendItem): number {
    if (!conditions?.queue) return 0;
    const { name, revision } = conditions.queue;
    const known = this.conditions.get(`${revision} ${name}`);
    if (known !== undefined) return known;
    this.guardNames.add(name);
    this.guardRevisions.add(revision);
    this.conditions.set(`${revision} ${name}`, this.guardNames.length);
    return this.guardNames.length;
  }

  private addRules({ conditions, stream, events, expected }: AppendItem): void {
    if (!conditions || !RULES.some((rule) => conditions[rule] !== undefined)) return;
    const position = { i: this.streams.length, last: this.events.count };
    const { idempotencyKey, queueRevisions } = conditions;
    const key = idempotencyKey && { ...idempotencyKey, stream, revision: expected + events.length };
    this.rules.push({ ...position, others: queueRevisions, key });
  }

  private addChange(item: AppendItem, change: IndexChange, base: number): void {
    const i = this.streams.length;
    const place = { i, last: this.events.count, revision: item.expected + item.events.length };
    if (change.kind === 'create') this.creates.add(i, change.data);
    else if (change.kind === 'claim') this.claims.add(i, change.data, item.leaseSecret);
    else if (change.kind === 'succeed') this.successes.add(i, change.data.token, change.secret);
    else this.addCheck(i, base);
    if (change.kind === 'move') this.moves.push({ ...place, ...change.move });
    else if (change.kind === 'row') this.queues.push({ ...place, row: change.row, ...queueRules(item) });
  }

  private addCheck(i: number, base: number): void {
    this.check.add(i);
    this.checkedBase.add(base);
  }
}

/** What must hold of a queue's tasks, and of the queues that wait for it, when it is its turn to change. */
const queueRules = ({ conditions = {} }: AppendItem): object => ({
  empty: conditions.queueEmpty,
  unawaited: conditions.notAwaited,
});

/** What many events share is passed once, and pointed to by its number from 1. */
class Events {
  private readonly items: Int4Array;
  private readonly revisions: Int4Array;
  private readonly kindOf: Int4Array;
  private readonly envelopeOf: Int4Array;
  private readonly ids: UuidArray;
  private readonly data: TextArray;
  private readonly kinds = new Map<string, number>();
  private readonly categories = new TextArray(4, NAME_BYTES);
  private readonly types = new TextArray(4, NAME_BYTES);
  private readonly versions = new Int4Array(4);
  private readonly envelopes = new Map<Envelope, number>();
  private readonly meta = new TextArray(4, DATA_BYTES);

  constructor(
    private readonly codec: EventCodec,
    size: number,
  ) {
    this.items = new Int4Array(size);
    this.revisions = new Int4Array(size);
    this.kindOf = new Int4Array(size);
    this.envelopeOf = new Int4Array(size);
    this.ids = new UuidArray(size);
    this.data = new TextArray(size, DATA_BYTES);
  }

  get count(): number {
    return this.items.length;
  }

  add(itemNumber: number, { events, expected }: AppendItem, category: string): void {
    let revision = expected;
    for (const { id, event, envelope } of events) {
      this.items.add(itemNumber);
      this.revisions.add(++revision);
      this.kindOf.add(this.kind(event, category));
      this.envelopeOf.add(this.envelope(envelope));
      this.ids.add(id);
      this.data.add(this.codec.encode(event));
    }
  }

  list(): unknown[] {
    const { items, revisions, kindOf, envelopeOf, ids, data, categories, types, versions, meta } = this;
    return [items, revisions, kindOf, envelopeOf, ids, data, categories, types, versions, meta].map((a) => a.value());
  }

  private kind({ type, version }: DomainEvent, category: string): number {
    const name = `${category} ${type}`;
    const known = this.kinds.get(name);
    if (known !== undefined) return known;
    this.categories.add(category);
    this.types.add(type);
    this.versions.add(version);
    this.kinds.set(name, this.types.length);
    return this.types.length;
  }

  private envelope(envelope: Envelope): number {
    const known = this.envelopes.get(envelope);
    if (known !== undefined) return known;
    this.meta.add(JSON.stringify(envelope));
    this.envelopes.set(envelope, this.meta.length);
    return this.meta.length;
  }
}

type ChangeOf<K extends IndexChange['kind']> = Extract<IndexChange, { readonly kind: K }>;

class Creates {
  private readonly items = new Int4Array(8);
  private readonly queues = new TextArray(8, NAME_BYTES);
  private readonly kinds = new TextArray(8, NAME_BYTES);
  private readonly keys = new TextArray(8, NAME_BYTES);
  private readonly priorities = new Int4Array(8);
  private readonly labels = new TextArray(8, NAME_BYTES);
  private readonly descriptions = new TextArray(8, NAME_BYTES);
  private readonly dues = new TimestampArray(8);

  add(item: number, { queue, kind, key, priority, labels, description, dueAt }: ChangeOf<'create'>['data']): void {
    this.items.add(item);
    this.queues.add(queue);
    this.kinds.add(kind);
    this.keys.add(key ?? null);
    this.priorities.add(priority ?? 0);
    this.labels.add(labels ? JSON.stringify(labels) : null);
    this.descriptions.add(description ?? null);
    this.dues.add(dueAt ?? null);
  }

  list(): unknown[] {
    const { items, queues, kinds, keys, priorities, labels, descriptions, dues } = this;
    return [items, queues, kinds, keys, priorities, labels, descriptions, dues].map((array) => array.value());
  }
}

class Claims {
  private readonly items = new Int4Array(8);
  private readonly tokens = new Int8Array(8);
  private readonly attempts = new Int4Array(8);
  private readonly requestOf = new Int4Array(8);
  private queue: string | null = null;
  private readonly requests = new Map<string, number>();
  private readonly workers = new TextArray(1, NAME_BYTES);
  private readonly servers = new TextArray(1, NAME_BYTES);
  private readonly secrets = new UuidArray(1);
  private readonly claimIds = new UuidArray(1);
  private readonly leases = new Int4Array(1);
  private readonly started = new TimestampArray(1);

  add(item: number, data: ChangeOf<'claim'>['data'], secret: string | undefined): void {
    this.queue = data.queue;
    this.items.add(item);
    this.tokens.add(data.token);
    this.attempts.add(data.attempt);
    this.requestOf.add(this.request(data, secret));
  }

  list(picked: boolean): unknown[] {
    const { items, tokens, attempts, requestOf, workers, servers, secrets, claimIds, leases, started } = this;
    return [
      ...[items, tokens, attempts, requestOf].map((array) => array.value()),
      picked,
      this.queue,
      ...[workers, servers, secrets, claimIds, leases, started].map((array) => array.value()),
    ];
  }

  private request(data: ChangeOf<'claim'>['data'], secret: string | undefined): number {
    const known = this.requests.get(data.claimId);
    if (known !== undefined) return known;
    this.workers.add(data.worker);
    this.servers.add(data.server);
    this.secrets.add(secret ?? null);
    this.claimIds.add(data.claimId);
    this.leases.add(data.leaseMs);
    this.started.add(data.claimedAt);
    this.requests.set(data.claimId, this.workers.length);
    return this.workers.length;
  }
}

class Successes {
  private readonly items = new Int4Array(8);
  private readonly tokens = new Int8Array(8);
  private readonly secrets = new UuidArray(8);

  add(item: number, token: string, secret: string): void {
    this.items.add(item);
    this.tokens.add(token);
    this.secrets.add(secret);
  }

  list(): unknown[] {
    return [this.items.value(), this.tokens.value(), this.secrets.value()];
  }
}
