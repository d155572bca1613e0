import type { AppendItem } from '../../../application/kernel/event-store.port.js';
import { categoryOf } from '../../../domain/aggregates.js';
import { QUEUE_CATEGORY } from '../../../domain/queue/queue.stream.js';
import type { Submission, TaskClaimed, TaskEvent, TaskStatus } from '../../../domain/task/task.events.js';
import { TASK_CATEGORY } from '../../../domain/task/task.stream.js';
import { newId } from '../../../application/kernel/new-id.js';
import { streamKey } from '../../database/stream-key.js';
import { mergeTaskRowChanges } from '../../../projections/kernel/rows/task-row-change.js';
import { taskRowChange } from '../../../projections/kernel/rows/task-row-rules.js';
import { guardsBefore, guardsInTurn } from '../../dispatch-index/guards.js';
import { prerequisitesIn } from '../../dispatch-index/changes/task-change.js';
import { orderedChange } from '../../dispatch-index/index-changes.js';

/** What appends must reserve, in the form that the SQL function `waybill_reserve` reads: the plain ones apart. */
export function reservationRequests(items: readonly AppendItem[]): Requests {
  const plain = new Map<string, object>();
  const others: object[] = [];
  items.forEach((item, i) => {
    const request = plain.has(item.stream) ? null : plainRequest(item, i);
    if (request) plain.set(item.stream, request);
    else others.push(reservationRequest(item, i));
  });
  return { plain: [...plain.values()], others };
}

export interface Requests {
  readonly plain: readonly object[];
  readonly others: readonly object[];
}

/**
 * A new task without a reference, or the end of an attempt after which the task does not wait again. Null if the append needs
 * more than its stream, its queue and its batch as they stand, the waiting place of its key, and the lease of its claim.
 */
function plainRequest(item: AppendItem, i: number): object | null {
  const { stream, expected, events, conditions = {} } = item;
  const { queue, lease, ...more } = conditions;
  const isMore = Object.values(more).some((condition) => condition !== undefined);
  if (isMore || categoryOf(stream) !== TASK_CATEGORY || (lease && !('secret' in lease))) return null;
  const facts = events.map(({ event }) => event as TaskEvent);
  const { created, state } = facts.map(taskRowChange).reduce(mergeTaskRowChanges);
  const waits = state === 'pending' || state === 'held';
  const takesMore = created ? created.reference !== undefined : waits;
  // Failed tasks become superseded, which changes the counts of a batch that may be about to end.
  const changesEnd = isEndOf(state) || state === 'superseded';
  if (takesMore || state === 'running' || changesEnd || prerequisitesIn(events)) return null;
  const { id, scope } = { id: streamKey(stream).id, ...scopeOf(item) };
  const at = queue && { queue: queue.name, queueRevision: queue.revision };
  const key = waits ? created?.key : undefined;
  return {
    i,
    id: events[0]!.id,
    stream: id,
    name: stream,
    expected,
    scope,
    key,
    batch: created?.batch,
    ...at,
    ...lease,
  };
}

/** What one append must reserve, also if it is a plain one. `i`: its place among those of the call. */
export function reservationRequest(item: AppendItem, i: number): Readonly<Record<string, unknown>> {
  const { stream, expected, events, conditions } = item;
  const reference = conditions?.returns?.reference;
  const { id, category } = streamKey(stream);
  return {
    i,
    id: events[0]!.id,
    stream: id,
    name: stream,
    expected,
    ...scopeOf(item),
    before: guardsBefore(item),
    turn: guardsInTurn(item),
    ...(reference !== undefined && { reference }),
    ...(category === TASK_CATEGORY && ofTask(item)),
  };
}

/** The queue that the append changes or was decided by. An append of any other category reserves its stream only. */
function scopeOf({ stream, events }: AppendItem): { readonly scope?: string; readonly changesScope: boolean } {
  const category = categoryOf(stream);
  const changesScope = category === QUEUE_CATEGORY;
  if (!changesScope && category !== TASK_CATEGORY) return { changesScope };
  return { scope: (events[0]!.event.data as { readonly queue: string }).queue, changesScope };
}

/**
 * The same for the appends of a transaction, which build on each other, in the form that `waybill_reserve_transaction`
 * reads. `fenced`: the index of the item in whose place a fence keeps all of them away.
 */
export function transactionRequest(items: readonly AppendItem[], fenced: number | null): readonly object[] {
  const begun = new Map<string, Readonly<Record<string, unknown>>>();
  return items.map((item, i) => {
    if (item.events.length === 0) return lookRequest(item, i);
    const before = begun.get(item.stream);
    const request = {
      ...partRequest(item, i),
      ...(before && { goesOn: true, ...creationOf(before) }),
      ...(i === fenced && { fencesAll: true }),
    };
    if (!before) begun.set(item.stream, request);
    return request;
  });
}

/** Describes a task that an earlier part of the transaction creates, because the index does not know it yet. */
const creationOf = ({ created, key }: Readonly<Record<string, unknown>>): object =>
  created === true ? { created, key } : {};

function partRequest(item: AppendItem, i: number): Readonly<Record<string, unknown>> {
  const change = orderedChange(item);
  return {
    ...reservationRequest(item, i),
    ...(change.kind === 'move' && { move: change.move }),
    ...(change.kind === 'row' && { table: change.table, row: change.row }),
  };
}

/**
 * Reserves a stream that the transaction only read. A queue is shared with every append that was decided by it; any
 * other stream is exclusive.
 */
function lookRequest({ stream, expected }: AppendItem, i: number): object {
  const id = newId();
  const common = { i, id, name: stream, expected, changesScope: false, before: {}, turn: {} };
  if (categoryOf(stream) !== QUEUE_CATEGORY) return { ...common, stream: streamKey(stream).id };
  const scope = stream.slice(QUEUE_CATEGORY.length + 1);
  return { ...common, stream: id, scope, before: expected >= 0 ? { queue: { name: scope, revision: expected } } : {} };
}

/** Whether a task in this state can be no prerequisite any more. */
const isEndOf = (state: TaskStatus | null): boolean => state === 'aborted' || state === 'deleted';

/** A copy has the reference of its original, which keeps it from others. */
const ownReference = ({ reference, rerunOf }: Submission): string | undefined =>
  rerunOf === undefined ? reference : undefined;

function ofTask({ events, leaseSecret, leaseHolder }: AppendItem): Readonly<Record<string, unknown>> {
  const facts = events.map(({ event }) => event as TaskEvent);
  const { created, state } = facts.map(taskRowChange).reduce(mergeTaskRowChanges);
  const after = prerequisitesIn(events);
  const claim = facts.find((event): event is TaskClaimed => event.type === 'TaskClaimed');
  return {
    ...(created && { created: true, key: created.key, reference: ownReference(created), batch: created.batch }),
    ...((state === 'pending' || state === 'held' || (created && claim)) && { waits: true }),
    ...(after && { after }),
    ...(isEndOf(state) && { ends: state }),
    ...(claim && { claim: { ...claim.data, secret: leaseSecret, holder: leaseHolder } }),
  };
}
