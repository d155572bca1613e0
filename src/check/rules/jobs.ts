import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import type { TaskEventType } from '../../domain/task/task.events.js';
import type { TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { isOfTrigger, type TaskRecord } from '../appends.js';
import type { LogIndex, Rule, Seen, Tell } from '../rule.js';
import { violation } from '../violation.js';
import { endsClaim, RECORDED_AS } from './attempts.js';

/** The events by which whoever has the job reports on its items. The trigger itself returns them if there will be no job. */
const REPORTS: ReadonlySet<TaskEventType> = new Set(
  Object.values(RECORDED_AS).filter((type) => type !== 'TaskReturned'),
);

/** A job and the claim of one of its items, or of one that is to be. */
interface Leased {
  readonly job: string;
  readonly claim: TaskRecord;
}

/**
 * I17: what a trigger claims for a job is in this job, or returns to its queue; a job has items, and only those; and no
 * item is claimed for two jobs at once.
 */
export class Jobs implements Rule {
  private readonly leased = new Map<string, Leased>();
  private readonly claimedFor = new Map<string, Set<string>>();
  /** The items that each job was made with. */
  private readonly made = new Map<string, readonly string[]>();

  constructor(private readonly index: LogIndex) {}

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded, id } of append)
      if (id !== null) this.ofTask(recorded, id, tell);
      else if (isOfTrigger(recorded)) this.fired(recorded, tell);
  }

  forget(id: string): void {
    this.made.delete(id);
    this.claimedFor.delete(id);
  }

  private ofTask(recorded: TaskRecord, id: string, tell: Tell): void {
    const { event } = recorded;
    if (event.type === 'TaskEnqueued' && event.data.items) this.make(recorded, id, event.data.items, tell);
    if (event.type === 'TaskClaimed') this.claim(recorded, id, event.data.job, tell);
    else if (endsClaim(event)) this.endClaim(recorded, id, tell);
  }

  private fired(recorded: RecordedEvent, tell: Tell): void {
    const { type, data } = recorded.event as TriggerEvent;
    for (const { task, items } of type === 'TriggerFired' ? data.firings : [])
      if (!this.isForgotten(task) && items?.join() !== this.made.get(task)?.join())
        tell(violation('I17', `Expected job '${task}' to be recorded with its items, but it was not`, recorded));
  }

  end(tell: Tell): void {
    for (const [item, { job, claim }] of this.leased)
      if (!this.has(job, item))
        tell(violation('I17', `Expected item '${item}' to be in job '${job}', but it is left alone`, claim));
  }

  private make(enqueued: TaskRecord, job: string, items: readonly string[], tell: Tell): void {
    this.made.set(job, items);
    const says = `Expected job '${job}' to be made of what was claimed for it, but`;
    if (items.length === 0) tell(violation('I17', `${says} it has no items`, enqueued));
    for (const item of items)
      if (!this.claimedFor.get(job)?.has(item)) tell(violation('I17', `${says} '${item}' was not`, enqueued));
    for (const [item, { job: of, claim }] of this.leased)
      if (of === job && !items.includes(item)) tell(violation('I17', `${says} it lacks '${item}'`, claim, enqueued));
  }

  private claim(claim: TaskRecord, item: string, job: string | undefined, tell: Tell): void {
    const before = this.leased.get(item);
    if (before)
      tell(violation('I17', `Expected item '${item}' to be in job '${before.job}' alone`, before.claim, claim));
    if (job === undefined) return;
    this.leased.set(item, { job, claim });
    this.claimedFor.set(job, (this.claimedFor.get(job) ?? new Set()).add(item));
  }

  private endClaim(end: TaskRecord, item: string, tell: Tell): void {
    const before = this.leased.get(item);
    this.leased.delete(item);
    if (before && REPORTS.has(end.event.type) && !this.has(before.job, item))
      tell(violation('I17', `Expected job '${before.job}' to exist before item '${item}' is reported on`, end));
  }

  private has(job: string, item: string): boolean {
    return this.isForgotten(job) || (this.made.get(job)?.includes(item) ?? false);
  }

  /** What a job was made of is known until it has ended. */
  private isForgotten(job: string): boolean {
    return this.index.endedAs(job) !== undefined;
  }
}
