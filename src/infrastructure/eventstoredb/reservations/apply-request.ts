import type { AppendItem, RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { categoryOf } from '../../../domain/aggregates.js';
import type { TaskClaimed, TaskEvent, TaskStatus } from '../../../domain/task/task.events.js';
import { TASK_CATEGORY } from '../../../domain/task/task.stream.js';
import { mergeTaskRowChanges } from '../../../projections/kernel/rows/task-row-change.js';
import { takesPlace, taskRowChange } from '../../../projections/kernel/rows/task-row-rules.js';
import { streamKey } from '../../database/stream-key.js';
import { indexChange, orderedChange } from '../../dispatch-index/index-changes.js';
import type { Claim, ClaimRequest } from '../../dispatch-index/task-records.js';
import type { Gap } from './gap.js';
import { historyText } from './open-history.js';

/** The events of one append, in stored form. */
export type Stored = readonly RecordedEvent[];

/** The next thing to apply: an append, or the whole transaction that it ends; nothing for one before that. */
export interface Step {
  readonly position: bigint;
  readonly appends: readonly Stored[];
  /** Set for an append of a transaction: its id, and the position of its last event. */
  readonly transaction?: { readonly id: string; readonly whole: bigint };
  /** The streams were read up to these appends, so that the index need not compare its own revisions. */
  readonly compared?: true;
  /** The appends of the transaction that did not come. */
  readonly missed?: readonly Gap[];
}

/** Plain steps of tasks' lives, which are applied together, in this order. */
interface PlainSteps {
  readonly creates: object[];
  readonly claims: object[];
  readonly successes: object[];
}

export type ApplyGroup = PlainSteps | { readonly change: object };

type Numbers = Pick<Claim, 'item' | 'first' | 'request'>;

type Plain = readonly [kind: keyof PlainSteps, change: object];

/**
 * What the SQL function `waybill_apply` reads. Plain steps are moved past one another only: a task is created before it
 * is claimed, and claimed before it succeeds. Every other change keeps its turn.
 */
export function applyGroups(steps: readonly Step[]): readonly ApplyGroup[] {
  const groups: ApplyGroup[] = [];
  let open: PlainSteps | null = null;
  for (const step of steps) {
    const plain = plainOf(step);
    if (plain) {
      if (!open) groups.push((open = { creates: [], claims: [], successes: [] }));
      const [kind, change] = plain;
      open[kind].push(Object.assign(change, numbered(open[kind].length + 1)));
    } else {
      groups.push(...changesOf(step).map((change) => ({ change })));
      open = null;
    }
  }
  return groups;
}

/** The events, which follow one another in the log, by their appends. Leaves out the beginning of one that is not whole. */
export function wholeAppends(events: readonly RecordedEvent[]): Stored[] {
  const appends: Stored[] = [];
  let open: RecordedEvent[] = [];
  for (const event of events) {
    open.push(event);
    if (event.more) continue;
    appends.push(open);
    open = [];
  }
  return appends;
}

export const itemOf = (events: Stored): AppendItem => ({
  stream: events[0]!.stream,
  expected: events[0]!.revision - 1,
  events,
});

/** Null unless it is one event of a plain life, and no part of a transaction. */
function plainOf({ appends: [append], compared }: Step): Plain | null {
  if (compared) return null;
  const [{ event, transaction }] = append as [RecordedEvent];
  if (append!.length > 1 || transaction) return null;
  if (event.type === 'TaskSucceeded')
    return ['successes', Object.assign(common(append!), { expected: baseOf(append!) })];
  if (event.type !== 'TaskEnqueued' && event.type !== 'TaskClaimed') return null;
  const change = indexChange(itemOf(append!));
  if (change.kind === 'claim') return ['claims', Object.assign(common(append!), claimOf(append!, change.data))];
  if (change.kind !== 'create') return null;
  const { queue, batch, kind, key, priority = 0, labels, description, dueAt: due, steps } = change.data;
  const created = { queue, batch, kind, key, priority, labels, description, due, step: steps?.[0] };
  return ['creates', Object.assign(common(append!), created)];
}

/**
 * The idempotency key of a transaction gets the position of its last event. The last change ends the reservations that
 * remain.
 */
function changesOf({ appends, transaction, compared }: Step): readonly object[] {
  const based = (append: Stored): object => ({ ...changeOf(append), ...(!compared && { base: baseOf(append) }) });
  if (transaction === undefined) return appends.map(based);
  const whole = String(transaction.whole);
  const changes = appends.map((append) => ({ ...based(append), whole }));
  return changes.with(-1, { ...changes.at(-1)!, ends: transaction.id } as (typeof changes)[number]);
}

/** The revision that the stream has before the append. */
export const baseOf = ([first]: Stored): number => first!.revision - 1;

/** Whether the index keeps anything of the append. */
export const changesIndex = (events: Stored): boolean => orderedChange(itemOf(events)).kind !== 'none';

function changeOf(events: Stored): Readonly<Record<string, unknown>> {
  const change = orderedChange(itemOf(events));
  const { transaction } = events[0]!;
  return {
    ...common(events),
    ...(transaction && { transaction: transaction.id }),
    ...(change.kind === 'claim' && { claim: { ...claimOf(events, change.data), ...numbered(1) } }),
    ...(change.kind === 'move' && { move: { ...change.move, ...placedIn(events) } }),
    ...(change.kind === 'row' && { table: change.table, row: change.row }),
  };
}

/** In the form of the records of claims, and of their requests. */
const claimOf = (
  events: Stored,
  data: TaskClaimed['data'],
): Omit<Claim & ClaimRequest, keyof Numbers | 'task' | 'holder' | 'secret'> => ({
  expected: baseOf(events),
  token: data.token,
  attempt: data.attempt,
  until: data.runUntil ?? null,
  claim_id: data.claimId,
  queue: data.queue,
  worker: data.worker,
  server: data.server,
  lease_ms: data.leaseMs,
  started: data.claimedAt,
});

/** Each is an item of its own, with one event and, if it is a claim, with a request. */
const numbered = (number: number): Numbers => ({ item: number, first: number, request: number });

/** Positions have gaps here. */
function placedIn(events: Stored): { readonly placed?: number } {
  const last = events.findLast(({ event }) => takesPlace(event as TaskEvent));
  return last ? { placed: Number(events.at(-1)!.position - last.position) } : {};
}

function common(events: Stored): Readonly<Record<string, unknown>> {
  const [first, last] = [events[0]!, events.at(-1)!];
  return {
    id: first.id,
    task: streamKey(first.stream).id,
    seq: String(first.position),
    position: String(last.position),
    revision: last.revision,
    at: last.recordedAt,
    ...atHand(events),
  };
}

/** What is kept at hand of these events. */
function atHand(events: Stored): { readonly history?: string; readonly ended?: true } {
  if (categoryOf(events[0]!.stream) !== TASK_CATEGORY) return {};
  const change = events.map(({ event }) => taskRowChange(event as TaskEvent)).reduce(mergeTaskRowChanges);
  if (!change.finished || change.state === 'failed') return { history: historyText(events) };
  return RESTORABLE.has(change.state) ? { history: historyText(events), ended: true } : {};
}

/** How a task ends by a command that can be undone. */
const RESTORABLE: ReadonlySet<string | null> = new Set<TaskStatus>(['cancelled', 'aborted', 'deleted']);
