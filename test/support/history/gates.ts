import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import type { HoldEvent } from '../../../src/domain/hold/hold.events.js';
import { HOLD_CATEGORY } from '../../../src/domain/hold/hold.stream.js';
import type { QueueEvent } from '../../../src/domain/queue/queue.events.js';
import type { QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { QUEUE_CATEGORY } from '../../../src/domain/queue/queue.stream.js';
import type { ResourceEvent } from '../../../src/domain/resource/resource.events.js';
import { RESOURCE_CATEGORY } from '../../../src/domain/resource/resource.stream.js';
import type { Submission, TaskClaimed, TaskEvent } from '../../../src/domain/task/task.events.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { beginsWait } from '../../../src/projections/kernel/rows/task-row-change.js';
import { taskRowChange } from '../../../src/projections/kernel/rows/task-row-rules.js';
import { isOfTask, type Log, type TaskRecord, type Violation, violation } from './history.js';

/**
 * I20: no task is given out that is held, or that a hold in force catches. I21: no task is given out at a step that is short of
 * a resource.
 *
 * A claim chooses its tasks a moment before it is recorded, so it may miss what has come meanwhile. A task that waits only since
 * then was chosen later. A gauge is written a moment before its crossing is recorded, so the last second before counts as free.
 */
export function* gateViolations(log: Log): Generator<Violation> {
  const gates = new Gates(log);
  for (const recorded of log.events) {
    if (isOfTask(recorded)) yield* gates.ofTask(recorded);
    else gates.changed(recorded);
  }
}

interface Waiting {
  readonly submission: Submission;
  held: boolean;
  /** Whether it was claimed, released or retried. */
  begun: boolean;
  step: string | null;
  /** The position since which it could be given out. */
  since: bigint;
}

interface Placed {
  readonly labels: Readonly<Record<string, string>>;
  readonly since: bigint;
}

interface Shortage {
  readonly isShortOf: (limit: number) => boolean;
  readonly since: bigint;
  /** Milliseconds since 1970; infinite if it stays short. */
  readonly until: number;
}

const SOON_MS = 1_000;

class Gates {
  private readonly policies = new Map<string, QueuePolicy>();
  private readonly holds = new Map<string, Placed>();
  private readonly defined = new Set<string>();
  private readonly shortages = new Map<string, Shortage>();
  private readonly tasks = new Map<string, Waiting>();

  constructor(private readonly log: Log) {}

  changed({ stream, event, position }: RecordedEvent): void {
    const category = stream.split('-', 1)[0];
    if (category === QUEUE_CATEGORY) this.queueChanged(event as QueueEvent);
    if (category === HOLD_CATEGORY) this.holdChanged(event as HoldEvent, position);
    if (category === RESOURCE_CATEGORY) this.resourceChanged(event as ResourceEvent, position);
  }

  *ofTask(recorded: TaskRecord): Generator<Violation> {
    const id = taskIdOf(recorded.stream);
    const task = this.tasks.get(id) ?? newTask(recorded);
    if (!task) return;
    this.tasks.set(id, task);
    if (recorded.event.type === 'TaskClaimed') {
      yield* this.heldBack(task, recorded);
      yield* this.shortOf(task, recorded);
    }
    follow(task, recorded);
  }

  private *heldBack(task: Waiting, claim: TaskRecord): Generator<Violation> {
    const id = taskIdOf(claim.stream);
    if (task.held)
      yield violation('I20', `Expected '${id}' to be released before it is claimed, but it is held`, claim);
    const { queue, labels = {} } = task.submission;
    if (this.policies.get(queue)?.holdsCatch === 'first-claim' && task.begun) return;
    for (const [name, { labels: selected, since }] of this.holds)
      if (since < task.since && Object.entries(selected).every(([label, value]) => labels[label] === value))
        yield violation('I20', `Expected hold '${name}' to catch '${id}', but it is claimed`, claim);
  }

  private *shortOf(task: Waiting, claim: TaskRecord): Generator<Violation> {
    const { steps = [] } = this.policies.get(task.submission.queue) ?? {};
    const step = steps.find((one) => typeof one !== 'string' && one.name === task.step);
    const needs = step === undefined || typeof step === 'string' ? [] : (step.needs ?? []);
    const at = Date.parse((claim.event as TaskClaimed).data.claimedAt);
    for (const { resource, below } of needs) {
      const shortage = this.shortages.get(resource);
      if (!shortage?.isShortOf(below) || shortage.since > task.since || at > shortage.until) continue;
      const says = `Expected '${taskIdOf(claim.stream)}' to wait at ${task.step} while '${resource}' is short, but it is claimed`;
      yield violation('I21', says, claim);
    }
  }

  private queueChanged(event: QueueEvent): void {
    if ('policy' in event.data) this.policies.set(event.data.queue, event.data.policy as QueuePolicy);
  }

  private holdChanged({ type, data }: HoldEvent, since: bigint): void {
    if (type === 'HoldLifted') this.holds.delete(data.hold);
    else this.holds.set(data.hold, { labels: data.selector.labels, since });
  }

  private resourceChanged({ type, data }: ResourceEvent, since: bigint): void {
    const { resource } = data;
    if (type === 'ResourceDefined' && this.defined.has(resource)) return;
    if (type === 'ResourceDefined') this.defined.add(resource);
    if (type === 'ResourceDeleted') this.defined.delete(resource);
    if (type === 'ResourceFree' || type === 'ResourceDeleted') return void this.shortages.delete(resource);
    // Nobody has measured a new one.
    const isShortOf = (limit: number): boolean =>
      type === 'ResourceDefined' || data.value === null || data.value >= limit;
    this.shortages.set(resource, { isShortOf, since, until: this.endOf(resource, since) - SOON_MS });
  }

  /** When the next event says how much there is of the resource. */
  private endOf(resource: string, after: bigint): number {
    const next = this.log.events.find(
      ({ stream, position, event }) =>
        position > after &&
        stream.startsWith(`${RESOURCE_CATEGORY}-`) &&
        (event as ResourceEvent).type !== 'ResourceDefined' &&
        (event as ResourceEvent).data.resource === resource,
    );
    return next ? Date.parse((next.event as ResourceEvent).data.at) : Infinity;
  }
}

function newTask({ event, position }: TaskRecord): Waiting | null {
  if (event.type !== 'TaskPrepared' && event.type !== 'TaskEnqueued') return null;
  return { submission: event.data, held: false, begun: false, step: event.data.steps?.[0] ?? null, since: position };
}

const BEGINNINGS: readonly TaskEvent['type'][] = ['TaskClaimed', 'TaskReleased', 'TaskRetried'];

function follow(task: Waiting, { event, position }: TaskRecord): void {
  const change = taskRowChange(event);
  if (change.state !== null) task.held = change.state === 'held';
  if (BEGINNINGS.includes(event.type)) task.begun = true;
  if (event.type === 'TaskStepCompleted') task.step = event.data.next ?? null;
  if (event.type === 'TaskRetried' && event.data.step !== undefined) task.step = event.data.step;
  if (beginsWait(change)) task.since = position;
}
