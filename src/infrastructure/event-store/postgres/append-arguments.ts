import type { AppendItem, Envelope } from '../../../application/kernel/event-store.port.js';
import { indexChange, type IndexChange } from '../../dispatch/index-changes.js';
import type { EventCodec } from '../event-codec.js';
import { RECORD_SEPARATOR } from './append.sql.js';
import { streamKey } from './stream-key.js';

/** The parameters of `waybill_append`, in its order. Numbers and ids travel as array literals, which need no escaping. */
export function appendArguments(items: readonly AppendItem[], codec: EventCodec, atomic: boolean): unknown[] {
  const args = new AppendArguments(codec);
  items.forEach((item) => args.add(item));
  return args.list(atomic);
}

const literal = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
const json = (values: readonly unknown[]): string | null => (values.length > 0 ? JSON.stringify(values) : null);

/** How many parameters `list` gives: the statement's text is made from it. */
export const APPEND_PARAMETERS = 40;

/** The guards that few appends have. */
const RULES = ['idempotencyKey', 'others', 'queueEmpty', 'notAwaited'] as const;

class AppendArguments {
  private readonly streams: string[] = [];
  private readonly expected: number[] = [];
  private readonly first: number[] = [];
  private readonly categories: string[] = [];
  private readonly check: number[] = [];
  private readonly guardOf: number[] = [];
  private readonly guards = new Map<string, number>();
  private readonly guardNames: string[] = [];
  private readonly guardRevisions: number[] = [];
  private readonly itemOf: number[] = [];
  private readonly revisions: number[] = [];
  private readonly types: string[] = [];
  private readonly versions: number[] = [];
  private readonly ids: string[] = [];
  private readonly data: string[] = [];
  private readonly meta: string[] = [];
  private readonly creates = new Creates();
  private readonly claims = new Claims();
  private readonly successes = new Successes();
  private readonly moves: object[] = [];
  private readonly queues: object[] = [];
  private readonly rules: object[] = [];
  private readonly names: object[] = [];

  constructor(private readonly codec: EventCodec) {}

  add(item: AppendItem): void {
    const key = streamKey(item.stream);
    this.streams.push(key.id);
    this.expected.push(item.expected);
    this.first.push(this.ids.length + 1);
    this.guardOf.push(this.queueGuard(item));
    if (key.named && item.expected < 0) this.names.push({ stream: key.id, name: item.stream });
    this.addEvents(item, key.category);
    this.addRules(item);
    this.addChange(item, indexChange(item));
  }

  list(atomic: boolean): unknown[] {
    const { creates: c, claims: k, successes: s } = this;
    return [
      literal(this.streams),
      literal(this.expected),
      literal(this.first),
      literal(this.check),
      literal(this.guardOf),
      this.guardNames,
      literal(this.guardRevisions),
      literal(this.itemOf),
      literal(this.revisions),
      literal(this.categories),
      literal(this.types),
      literal(this.versions),
      literal(this.ids),
      this.data.join(RECORD_SEPARATOR),
      this.meta.join(RECORD_SEPARATOR),
      ...c.list(),
      ...k.list(),
      ...s.list(),
      json(this.moves),
      json(this.queues),
      json(this.rules),
      json(this.names),
      atomic,
    ];
  }

  private addEvents({ events, expected }: AppendItem, category: string): void {
    const item = this.streams.length;
    let revision = expected;
    for (const { id, event, envelope } of events) {
      this.itemOf.push(item);
      this.revisions.push(++revision);
      this.categories.push(category);
      this.types.push(event.type);
      this.versions.push(event.version);
      this.ids.push(id);
      this.data.push(this.codec.encode(event));
      this.meta.push(metaOf(envelope));
    }
  }

  private queueGuard({ guards }: AppendItem): number {
    if (!guards?.queue) return 0;
    const { name, revision } = guards.queue;
    const known = this.guards.get(`${revision} ${name}`);
    if (known !== undefined) return known;
    this.guardRevisions.push(revision);
    this.guards.set(`${revision} ${name}`, this.guardNames.push(name));
    return this.guardNames.length;
  }

  private addRules({ guards, stream, events, expected }: AppendItem): void {
    if (!guards || !RULES.some((rule) => guards[rule] !== undefined)) return;
    const position = { i: this.streams.length, last: this.ids.length };
    const { idempotencyKey, others, queueEmpty, notAwaited } = guards;
    const taken = idempotencyKey && { ...idempotencyKey, stream, revision: expected + events.length };
    this.rules.push({ ...position, others, empty: queueEmpty, unawaited: notAwaited, ...taken });
  }

  private addChange(item: AppendItem, change: IndexChange): void {
    const i = this.streams.length;
    const place = { i, last: this.ids.length, revision: item.expected + item.events.length };
    if (change.kind === 'create') this.creates.add(i, change.data);
    else if (change.kind === 'claim') this.claims.add(i, change.data, item.leaseSecret);
    else if (change.kind === 'succeed') this.successes.add(i, change.data.token, change.secret);
    else this.check.push(i);
    if (change.kind === 'move') this.moves.push({ ...place, ...change.move });
    else if (change.kind === 'queue') this.queues.push({ ...place, row: change.row });
  }
}

type ChangeOf<K extends IndexChange['kind']> = Extract<IndexChange, { readonly kind: K }>;

class Creates {
  private readonly items: number[] = [];
  private readonly queues: string[] = [];
  private readonly kinds: string[] = [];
  private readonly priorities: number[] = [];
  private readonly labels: (string | null)[] = [];
  private readonly descriptions: (string | null)[] = [];
  private readonly dues: (string | null)[] = [];

  add(item: number, { queue, kind, priority, labels, description, dueAt }: ChangeOf<'create'>['data']): void {
    this.items.push(item);
    this.queues.push(queue);
    this.kinds.push(kind);
    this.priorities.push(priority ?? 0);
    this.labels.push(labels ? JSON.stringify(labels) : null);
    this.descriptions.push(description ?? null);
    this.dues.push(dueAt ?? null);
  }

  list(): unknown[] {
    const { items, queues, kinds, priorities, labels, descriptions, dues } = this;
    return [literal(items), queues, kinds, literal(priorities), labels, descriptions, dues];
  }
}

class Claims {
  private readonly items: number[] = [];
  private readonly tokens: string[] = [];
  private queue: string | null = null;
  private readonly workers: string[] = [];
  private readonly servers: string[] = [];
  private readonly secrets: (string | null)[] = [];
  private readonly claimIds: string[] = [];
  private readonly leases: number[] = [];
  private readonly attempts: number[] = [];
  private readonly started: string[] = [];

  add(item: number, data: ChangeOf<'claim'>['data'], secret: string | undefined): void {
    this.items.push(item);
    this.tokens.push(data.token);
    this.queue = data.queue;
    this.workers.push(data.worker);
    this.servers.push(data.server);
    this.secrets.push(secret ?? null);
    this.claimIds.push(data.claimId);
    this.leases.push(data.leaseMs);
    this.attempts.push(data.attempt);
    this.started.push(data.claimedAt);
  }

  list(): unknown[] {
    const { items, tokens, queue, workers, servers, secrets, claimIds, leases, attempts, started } = this;
    return [
      literal(items),
      literal(tokens),
      queue,
      workers,
      servers,
      secrets,
      literal(claimIds),
      literal(leases),
      literal(attempts),
      literal(started.map((time) => `"${time}"`)),
    ];
  }
}

class Successes {
  private readonly items: number[] = [];
  private readonly tokens: string[] = [];
  private readonly secrets: string[] = [];

  add(item: number, token: string, secret: string): void {
    this.items.push(item);
    this.tokens.push(token);
    this.secrets.push(secret);
  }

  list(): unknown[] {
    return [literal(this.items), literal(this.tokens), literal(this.secrets)];
  }
}

/** Many events share one envelope object: it is turned to text once. */
const metaTexts = new WeakMap<Envelope, string>();

function metaOf(envelope: Envelope): string {
  let text = metaTexts.get(envelope);
  if (text === undefined) metaTexts.set(envelope, (text = JSON.stringify(envelope)));
  return text;
}
