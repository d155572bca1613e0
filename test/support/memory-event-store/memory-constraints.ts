import type {
  AppendConditions,
  AppendItem,
  AppendResult,
  IdempotencyKey,
  RecordedAnswer,
  Refusal,
} from '../../../src/application/kernel/event-store.port.js';
import type { UnrecordedAnswer } from '../../../src/application/kernel/idempotency-keys.port.js';
import { batchDecider } from '../../../src/domain/batch/batch.decider.js';
import type { BatchCounts, BatchEvent } from '../../../src/domain/batch/batch.events.js';
import type { BatchState } from '../../../src/domain/batch/batch.state.js';
import { BATCH_CATEGORY, batchIdOf } from '../../../src/domain/batch/batch.stream.js';
import type { HoldEvent } from '../../../src/domain/hold/hold.events.js';
import { fold } from '../../../src/domain/kernel/decider.js';
import { systemDecider, type SystemState } from '../../../src/domain/system/system.decider.js';
import type { SystemEvent } from '../../../src/domain/system/system.events.js';
import { DRAIN_STREAM } from '../../../src/domain/system/system.stream.js';
import type { QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import { changedPrerequisites, idOf, ignoresAbort } from '../../../src/domain/task/prerequisites.js';
import type { Prerequisite, Submission, TaskEvent, TaskStatus } from '../../../src/domain/task/task.events.js';
import { cycleThrough } from '../../../src/domain/kernel/cycle.js';
import { TASK_CATEGORY, taskStream } from '../../../src/domain/task/task.stream.js';
import { taskRowChange } from '../../../src/projections/kernel/rows/task-row-rules.js';

interface TaskPlace {
  readonly queue: string;
  readonly key: string | undefined;
  readonly reference: string | undefined;
  readonly status: TaskStatus;
  readonly after: readonly Prerequisite[];
  readonly batch: string | undefined;
}

interface MemoryLease {
  readonly task: string;
  readonly secret: string | undefined;
  readonly deadline: number;
  /** Infinite if nothing limits the run. */
  readonly runUntil: number;
}

type HoldPlaced = Extract<HoldEvent, { readonly type: 'HoldPlaced' }>['data'];
type Refused = Extract<AppendResult, { readonly kind: 'refused' }>;

const WAITING: readonly TaskStatus[] = ['pending', 'held'];
const BLOCKING: readonly TaskStatus[] = ['undecided', 'failed'];
const CLOSED: readonly TaskStatus[] = ['succeeded', 'aborted', 'superseded', 'deleted'];
const OPEN: readonly TaskStatus[] = ['prepared', 'pending', 'held', 'running', 'undecided'];

/**
 * Checks the conditions of an append beside its revision. It scans whole lists, because the logs of the memory store
 * are small.
 */
export class MemoryConstraints {
  private tasks = new Map<string, TaskPlace>();
  private leases = new Map<string, MemoryLease>();
  private policies = new Map<string, QueuePolicy>();
  private claimIds = new Set<string>();
  private batches = new Map<string, BatchState>();
  private drain: SystemState = systemDecider.initialState;
  /** The holds in force, by name. */
  private holds = new Map<string, HoldPlaced>();
  /** The taken idempotency keys, by key and item. */
  private idempotencyKeys = new Map<string, ReadonlyMap<number, RecordedAnswer>>();

  copy(): MemoryConstraints {
    const copy = new MemoryConstraints();
    copy.tasks = new Map(this.tasks);
    copy.leases = new Map(this.leases);
    copy.policies = new Map(this.policies);
    copy.claimIds = new Set(this.claimIds);
    copy.batches = new Map(this.batches);
    copy.drain = this.drain;
    copy.holds = new Map(this.holds);
    copy.idempotencyKeys = new Map(this.idempotencyKeys);
    return copy;
  }

  check(item: AppendItem, revisionOf: (stream: string) => number): Refused | null {
    const {
      queue,
      queueRevisions = [],
      notHeld,
      queueEmpty,
      notAwaited,
      batch,
      unneeded,
      idempotencyKey,
    } = item.conditions ?? {};
    const lookedAt = queue ? [queue, ...queueRevisions] : queueRevisions;
    if (lookedAt.some(({ name, revision }) => revisionOf(queueStream(name)) !== revision))
      return refused({ constraint: 'queue-changed' });
    if (queueEmpty !== undefined && this.find((task) => task.queue === queueEmpty && OPEN.includes(task.status))) {
      return refused({ constraint: 'queue-not-empty' });
    }
    const hold = notHeld && this.holdOn(notHeld);
    if (hold) return refused({ constraint: 'held', hold: hold.hold, by: hold.by, reason: hold.reason ?? null });
    const waiting = notAwaited === undefined ? null : this.queueThatWaitsFor(notAwaited);
    if (waiting !== null) return refused({ constraint: 'queue-awaited', queue: waiting });
    if (batch && this.batchDiffers(batch))
      return refused({ constraint: 'batch-differs', total: this.membersOf(batch.id).length });
    const needing = unneeded === undefined ? null : this.needing(unneeded);
    if (needing !== null) return refused({ constraint: 'task-awaited', taskId: needing });
    const recorded = idempotencyKey && this.answerUnder(idempotencyKey);
    if (recorded) return refused({ constraint: 'idempotency-key', recorded });
    if (this.isIdTaken(item)) return refused({ constraint: 'id-taken' });
    return item.stream.startsWith(`${TASK_CATEGORY}-`) ? this.checkTask(item) : null;
  }

  apply(item: AppendItem, position: bigint): void {
    const { idempotencyKey } = item.conditions ?? {};
    if (idempotencyKey) {
      const revision = item.expected + item.events.length;
      this.remember({ ...idempotencyKey, stream: item.stream, revision, position: String(position) });
    }
    for (const { event } of item.events) {
      if (event.type === 'QueueDeleted') this.policies.delete((event.data as { readonly queue: string }).queue);
      if (!('policy' in event.data)) continue;
      const { queue, policy } = event.data as { readonly queue: string; readonly policy: QueuePolicy };
      this.policies.set(queue, policy);
    }
    if (item.stream.startsWith(`${TASK_CATEGORY}-`)) this.applyTask(item);
    if (item.stream.startsWith(`${BATCH_CATEGORY}-`)) this.applyBatch(item);
    for (const { event } of item.events) this.applyHold(event as HoldEvent);
    if (item.stream === DRAIN_STREAM)
      for (const { event } of item.events) this.drain = systemDecider.evolve(this.drain, event as SystemEvent);
  }

  answerUnder({ key, item, fingerprint }: IdempotencyKey): RecordedAnswer | null {
    const answers = this.idempotencyKeys.get(key) ?? new Map<number, RecordedAnswer>();
    const another = [...answers.values()].find((answer) => answer.fingerprint !== fingerprint);
    return another ?? answers.get(item) ?? null;
  }

  remember({ key, item, ...recorded }: UnrecordedAnswer): void {
    this.idempotencyKeys.set(key, new Map(this.idempotencyKeys.get(key)).set(item, recorded));
  }

  private applyHold({ type, data }: HoldEvent): void {
    if (type === 'HoldPlaced' && !data.forbidsErasure) this.holds.set(data.hold, data);
    else this.holds.delete(data.hold);
  }

  /** Whether the id of a new task is that of a batch, or the id of a new batch that of a task. */
  private isIdTaken({ stream, expected }: AppendItem): boolean {
    if (expected >= 0) return false;
    if (stream.startsWith(`${TASK_CATEGORY}-`)) return this.batches.has(idIn(stream));
    return stream.startsWith(`${BATCH_CATEGORY}-`) && this.tasks.has(taskStream(batchIdOf(stream)));
  }

  private holdOn(labels: Readonly<Record<string, string>>): HoldPlaced | undefined {
    const catches = ({ selector }: HoldPlaced) =>
      Object.entries(selector.labels).every(([name, value]) => labels[name] === value);
    return [...this.holds.values()].filter(catches).sort((one, other) => (one.hold < other.hold ? -1 : 1))[0];
  }

  private queueThatWaitsFor(name: string): string | null {
    for (const [queue, { waitsFor }] of this.policies) if (waitsFor.includes(name)) return queue;
    return null;
  }

  private checkIntake({ expected }: AppendItem): Refused | null {
    if (expected >= 0 || this.drain.status === 'running' || this.drain.drain.intake === 'open') return null;
    return refused({ constraint: 'draining', by: this.drain.by, reason: this.drain.reason });
  }

  private checkTask(item: AppendItem): Refused | null {
    const events = item.events.map(({ event }) => event as TaskEvent);
    const after = this.placeAfter(item.stream, events);
    const user = item.conditions?.keyFree && this.userOf(item.conditions.keyFree);
    if (user) return refused({ constraint: 'key-busy', taskId: user });
    if (item.conditions?.lease && !this.leaseStands(item.conditions.lease)) return refused({ constraint: 'lease' });
    const claim = events.find((event) => event.type === 'TaskClaimed');
    if (claim?.type === 'TaskClaimed' && this.claimIds.has(claim.data.claimId))
      return refused({ constraint: 'claim-repeated' });
    return (
      this.checkIntake(item) ??
      this.checkBatch(item, after) ??
      this.checkReference(item, after) ??
      this.checkKey(item, after) ??
      this.checkPrerequisites(item, after) ??
      this.checkAwaited(item, after)
    );
  }

  private userOf({ queue, key }: { readonly queue: string; readonly key: string }): string | null {
    const blocks = this.policies.get(queue)?.onKeyFailure === 'block' ? BLOCKING : [];
    const uses: readonly TaskStatus[] = ['running', ...WAITING, ...blocks];
    return this.find((task) => task.queue === queue && task.key === key && uses.includes(task.status));
  }

  private checkKey({ stream, conditions }: AppendItem, { queue, key, status }: TaskPlace): Refused | null {
    const duplicatePending = this.policies.get(queue)?.duplicatePending;
    if (key === undefined || !WAITING.includes(status) || duplicatePending === 'allow') return null;
    if (duplicatePending === 'gather' && this.tasks.has(stream)) return null;
    const waiting = this.findAll(
      (task, name) => name !== stream && task.queue === queue && task.key === key && WAITING.includes(task.status),
    );
    const taskId = duplicatePending === 'gather' ? waiting.at(-1) : waiting[0];
    return taskId && taskId !== conditions?.behind ? refused({ constraint: 'key-waiting', taskId }) : null;
  }

  /** A copy has the reference of its original, which keeps it from others. */
  private checkReference({ stream, events }: AppendItem, { queue, reference }: TaskPlace): Refused | null {
    const unique = this.policies.get(queue)?.uniqueReference ?? 'off';
    if (reference === undefined || unique === 'off' || this.tasks.has(stream)) return null;
    if ('rerunOf' in events[0]!.event.data) return null;
    const taskId = this.find(
      (task) =>
        task.queue === queue && task.reference === reference && (unique === 'always' || !CLOSED.includes(task.status)),
    );
    return taskId ? refused({ constraint: 'reference', taskId, uniqueReference: unique }) : null;
  }

  private checkBatch({ stream }: AppendItem, { batch }: TaskPlace): Refused | null {
    if (batch === undefined || this.tasks.has(stream)) return null;
    const state = this.batches.get(batch)?.status;
    if (state === undefined) return refused({ constraint: 'batch-not-found', batch });
    return state === 'planning' || state === 'running' ? null : refused({ constraint: 'batch-ended', batch, state });
  }

  private applyBatch({ stream, events }: AppendItem): void {
    const id = batchIdOf(stream);
    const before = this.batches.get(id) ?? batchDecider.initialState;
    this.batches.set(
      id,
      fold(
        batchDecider,
        events.map(({ event }) => event as BatchEvent),
        before,
      ),
    );
  }

  private membersOf(batch: string): readonly TaskPlace[] {
    return [...this.tasks.values()].filter((task) => task.batch === batch);
  }

  private batchDiffers({ id, ...counts }: NonNullable<AppendConditions['batch']>): boolean {
    const members = this.membersOf(id);
    const count = (...statuses: readonly TaskStatus[]) =>
      members.filter(({ status }) => statuses.includes(status)).length;
    const actual = {
      total: members.length,
      succeeded: count(...DONE),
      failed: count('failed'),
      aborted: count('aborted'),
      deleted: count('deleted'),
    };
    return Object.entries(counts).some(([name, value]) => actual[name as keyof BatchCounts] !== value);
  }

  /** An unfinished task outside the batch that waits for it, or for one of its tasks. */
  private needing(batch: string): string | null {
    const ids = [...this.tasks].flatMap(([stream, task]) =>
      task.batch === batch && !DONE.includes(task.status) ? idIn(stream) : [],
    );
    return this.find(
      (task) =>
        task.batch !== batch &&
        !CLOSED.includes(task.status) &&
        task.after.some((one) => idOf(one) === batch || ids.includes(idOf(one))),
    );
  }

  /** The state of the task or batch; undefined if there is none. */
  private stateOf(id: string): string | undefined {
    return this.tasks.get(taskStream(id))?.status ?? this.batches.get(id)?.status;
  }

  private checkPrerequisites({ stream }: AppendItem, { after }: TaskPlace): Refused | null {
    const known = this.tasks.get(stream)?.after ?? [];
    for (const one of after.filter((named) => !known.includes(named))) {
      const id = idOf(one);
      if (taskStream(id) === stream) continue;
      const [asTask, asBatch] = [this.tasks.get(taskStream(id))?.status, this.batches.get(id)?.status];
      const [state, is] =
        'batch' in one ? [asBatch, asTask && ('task' as const)] : [asTask, asBatch && ('batch' as const)];
      if (state === undefined)
        return refused({ constraint: 'prerequisite-not-found', prerequisite: id, ...(is && { is }) });
      if (state === 'deleted' || (state === 'aborted' && !ignoresAbort(one)))
        return refused({ constraint: 'prerequisite-dead', prerequisite: id, state });
    }
    const cycle = cycleThrough(idIn(stream), (id) => (taskStream(id) === stream ? openIn(after) : this.openNeeds(id)));
    return cycle && refused({ constraint: 'prerequisite-cycle', cycle });
  }

  private openNeeds(id: string): readonly string[] {
    const members = [...this.tasks].flatMap(([stream, task]) => (task.batch === id ? idIn(stream) : []));
    const after = openIn(this.tasks.get(taskStream(id))?.after ?? []);
    return [...after, ...members, ...this.plannerOf(id)].filter((need) => !this.isDone(need));
  }

  /** The task that plans a batch, or the batch of a task. */
  private plannerOf(id: string): readonly string[] {
    const planned = this.batches.get(this.tasks.get(taskStream(id))?.batch ?? id);
    return planned?.status === 'planning' && planned.batch.planner !== undefined ? [planned.batch.planner] : [];
  }

  private isDone(id: string): boolean {
    return ['succeeded', 'superseded', 'completed'].includes(this.stateOf(id) ?? '');
  }

  private checkAwaited({ stream }: AppendItem, { status }: TaskPlace): Refused | null {
    if (status !== 'deleted' || this.isDone(idIn(stream))) return null;
    const taskId = this.find(
      (task) => !CLOSED.includes(task.status) && task.after.some((one) => taskStream(idOf(one)) === stream),
    );
    return taskId ? refused({ constraint: 'task-awaited', taskId }) : null;
  }

  private leaseStands(guard: { token: string; secret?: string; expired?: true; timedOut?: true }): boolean {
    const lease = this.leases.get(guard.token);
    if (!lease) return false;
    if (guard.timedOut) return lease.runUntil < Date.now();
    return guard.expired ? lease.deadline < Date.now() : lease.secret === undefined || lease.secret === guard.secret;
  }

  private applyTask(item: AppendItem): void {
    const events = item.events.map(({ event }) => event as TaskEvent);
    const place = this.placeAfter(item.stream, events);
    this.tasks.set(item.stream, place);
    for (const event of events) {
      if (event.type === 'TaskStepCompleted') this.runsUntil(event.data);
      if (event.type !== 'TaskClaimed') continue;
      const { token, claimId, claimedAt, leaseMs } = event.data;
      this.claimIds.add(claimId);
      this.leases.set(token, {
        task: item.stream,
        secret: item.leaseSecret,
        deadline: Date.parse(claimedAt) + leaseMs,
        runUntil: Infinity,
      });
      this.runsUntil(event.data);
    }
    if (place.status === 'running') return;
    for (const [token, { task }] of this.leases) if (task === item.stream) this.leases.delete(token);
  }

  private runsUntil({ token, runUntil }: { readonly token: string; readonly runUntil?: string }): void {
    const lease = this.leases.get(token);
    if (lease) this.leases.set(token, { ...lease, runUntil: runUntil === undefined ? Infinity : Date.parse(runUntil) });
  }

  private placeAfter(stream: string, events: readonly TaskEvent[]): TaskPlace {
    const before = this.tasks.get(stream);
    const { key, reference, queue, batch } = (before ?? events[0]!.data) as Submission;
    const status = events.reduce<TaskStatus | undefined>(
      (last, event) => taskRowChange(event).state ?? last,
      before?.status,
    );
    const after = events.reduce(afterOf, before?.after ?? []);
    return { queue, key, reference, status: status!, after, batch };
  }

  private find(matches: (task: TaskPlace, stream: string) => unknown): string | null {
    for (const [stream, task] of this.tasks) if (matches(task, stream)) return idIn(stream);
    return null;
  }

  /** In the order in which the tasks were created. */
  private findAll(matches: (task: TaskPlace, stream: string) => unknown): readonly string[] {
    return [...this.tasks].flatMap(([stream, task]) => (matches(task, stream) ? [idIn(stream)] : []));
  }
}

/** The states of a task that those that wait for it no longer wait for. */
const DONE: readonly TaskStatus[] = ['succeeded', 'superseded'];

const idIn = (stream: string): string => stream.slice(TASK_CATEGORY.length + 1);

const openIn = (after: readonly Prerequisite[]): readonly string[] => after.map(idOf);

function afterOf(before: readonly Prerequisite[], { type, data }: TaskEvent): readonly Prerequisite[] {
  if (type === 'TaskPrerequisitesChanged') return changedPrerequisites(before, data.added, data.waived);
  return 'after' in data ? data.after! : before;
}

const refused = (refusal: Refusal): Refused => ({ kind: 'refused', ...refusal });
