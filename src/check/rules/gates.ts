import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import { categoryOf } from '../../domain/aggregates.js';
import type { HoldEvent } from '../../domain/hold/hold.events.js';
import { HOLD_CATEGORY } from '../../domain/hold/hold.stream.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import type { ResourceEvent } from '../../domain/resource/resource.events.js';
import { RESOURCE_CATEGORY } from '../../domain/resource/resource.stream.js';
import type { Submission, TaskClaimed, TaskEvent } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import { beginsWait, Writes, writes } from '../../projections/kernel/rows/task-row-change.js';
import { taskRowChange } from '../../projections/kernel/rows/task-row-rules.js';
import type { TaskRecord } from '../appends.js';
import type { Rule, Seen, Tell } from '../rule.js';
import { type Violation, violation } from '../violation.js';

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
  /** The tasks that were given out meanwhile, which it may have caught, and when. */
  readonly claims: { readonly at: number; readonly found: Violation }[];
}

const SOON_MS = 1_000;

/**
 * I20: no task is given out that is held, or that a hold in force catches. I21: no task is given out at a step that is short of
 * a resource.
 *
 * A claim chooses its tasks a moment before it is recorded, so it may miss what has come meanwhile. A task that waits only since
 * then was chosen later. A gauge is written a moment before its crossing is recorded, so the last second before counts as free.
 */
export class Gates implements Rule {
  private readonly policies = new Map<string, QueuePolicy>();
  private readonly holds = new Map<string, Placed>();
  private readonly defined = new Set<string>();
  private readonly shortages = new Map<string, Shortage>();
  private readonly tasks = new Map<string, Waiting>();

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded, id } of append)
      if (id === null) this.changed(recorded, tell);
      else this.ofTask(recorded, id, tell);
  }

  forget(id: string): void {
    this.tasks.delete(id);
  }

  /** Whatever is short now stays so. */
  end(tell: Tell): void {
    for (const { claims } of this.shortages.values()) for (const { found } of claims) tell(found);
  }

  private changed({ stream, event, position }: RecordedEvent, tell: Tell): void {
    const category = categoryOf(stream);
    if (category === QUEUE_CATEGORY) this.queueChanged(event as QueueEvent);
    if (category === HOLD_CATEGORY) this.holdChanged(event as HoldEvent, position);
    if (category === RESOURCE_CATEGORY) this.resourceChanged(event as ResourceEvent, position, tell);
  }

  private ofTask(recorded: TaskRecord, id: string, tell: Tell): void {
    const task = this.tasks.get(id) ?? newTask(recorded);
    if (!task) return;
    this.tasks.set(id, task);
    if (recorded.event.type === 'TaskClaimed') {
      this.heldBack(task, recorded, tell);
      this.shortOf(task, recorded);
    }
    follow(task, recorded);
  }

  private heldBack(task: Waiting, claim: TaskRecord, tell: Tell): void {
    const id = taskIdOf(claim.stream);
    if (task.held)
      tell(violation('I20', `Expected '${id}' to be released before it is claimed, but it is held`, claim));
    const { queue, labels = {} } = task.submission;
    if (this.policies.get(queue)?.holdsCatch === 'first-claim' && task.begun) return;
    for (const [name, { labels: selected, since }] of this.holds)
      if (since < task.since && Object.entries(selected).every(([label, value]) => labels[label] === value))
        tell(violation('I20', `Expected hold '${name}' to catch '${id}', but it is claimed`, claim));
  }

  private shortOf(task: Waiting, claim: TaskRecord): void {
    const { steps = [] } = this.policies.get(task.submission.queue) ?? {};
    const step = steps.find((one) => typeof one !== 'string' && one.name === task.step);
    const needs = step === undefined || typeof step === 'string' ? [] : (step.needs ?? []);
    const at = Date.parse((claim.event as TaskClaimed).data.claimedAt);
    for (const { resource, below } of needs) {
      const shortage = this.shortages.get(resource);
      if (!shortage?.isShortOf(below) || shortage.since > task.since) continue;
      const says = `Expected '${taskIdOf(claim.stream)}' to wait at ${task.step} while '${resource}' is short, but it is claimed`;
      shortage.claims.push({ at, found: violation('I21', says, claim) });
    }
  }

  private queueChanged(event: QueueEvent): void {
    if ('policy' in event.data) this.policies.set(event.data.queue, event.data.policy as QueuePolicy);
  }

  private holdChanged({ type, data }: HoldEvent, since: bigint): void {
    if (type === 'HoldLifted' || data.forbidsErasure) this.holds.delete(data.hold);
    else this.holds.set(data.hold, { labels: data.selector.labels, since });
  }

  private resourceChanged({ type, data }: ResourceEvent, since: bigint, tell: Tell): void {
    const { resource } = data;
    if (type !== 'ResourceDefined') this.shortUntil(resource, Date.parse(data.at) - SOON_MS, tell);
    if (type === 'ResourceDefined' && this.defined.has(resource)) return;
    if (type === 'ResourceDefined') this.defined.add(resource);
    if (type === 'ResourceDeleted') this.defined.delete(resource);
    if (type === 'ResourceFree' || type === 'ResourceDeleted') return void this.shortages.delete(resource);
    // Nobody has measured a new one.
    const isShortOf = (limit: number): boolean =>
      type === 'ResourceDefined' || data.value === null || data.value >= limit;
    this.shortages.set(resource, { isShortOf, since, claims: [] });
  }

  /** The claims of a shortage are judged when it is known how long it lasted, in milliseconds since 1970. */
  private shortUntil(resource: string, until: number, tell: Tell): void {
    const shortage = this.shortages.get(resource);
    for (const { at, found } of shortage?.claims ?? []) if (at <= until) tell(found);
    shortage?.claims.splice(0);
  }
}

function newTask({ event, position }: TaskRecord): Waiting | null {
  if (event.type !== 'TaskPrepared' && event.type !== 'TaskEnqueued') return null;
  return { submission: event.data, held: false, begun: false, step: null, since: position };
}

const BEGINNINGS: readonly TaskEvent['type'][] = ['TaskClaimed', 'TaskReleased', 'TaskRetried'];

function follow(task: Waiting, { event, position }: TaskRecord): void {
  const change = taskRowChange(event);
  if (change.state !== null) task.held = change.state === 'held';
  if (BEGINNINGS.includes(event.type)) task.begun = true;
  if (writes(change, Writes.step)) task.step = change.step;
  if (beginsWait(change)) task.since = position;
}
