import type { Decision, DomainEvent } from '../../domain/kernel/decider.js';
import { sameContent } from '../../domain/kernel/json.js';
import { DEFAULT_POLICY, type QueuePolicy, wholePolicy } from '../../domain/queue/queue.policy.js';
import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import { isLateReport, type LateReportState, lateReportDecider } from '../../domain/task/late-reports.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { hasErasedError, isWithoutContents } from '../../domain/task/erased-half.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { isFence, type TaskRecord } from '../appends.js';
import { publicHalf } from '../../domain/public-half.js';
import type { LogTraits, Rule, Seen, SeenTask, Tell } from '../rule.js';
import { violation } from '../violation.js';
import { commandBehind } from './redecide.js';

/** A decision that would be another one now. */
export interface Differing {
  readonly recorded: readonly TaskRecord[];
  readonly decision: Decision<TaskEvent, unknown>;
}

/** I7: no event that the decider would have decided differently. */
export class Decisions implements Rule {
  /** By version and queue, as `"<version> <queue>"`. */
  private readonly policies = new Map<string, QueuePolicy>();
  private readonly reports = new Map<string, LateReportState>();
  /** What follows a wrong decision is not judged. */
  private readonly wrong = new Set<string>();
  /** How many decisions were left out for want of their private halves, by the type of their first event. */
  readonly skipped = new Map<string, number>();

  constructor(private readonly traits: Pick<LogTraits, 'isWhole' | 'isForeign'>) {}

  take(append: readonly Seen[], tell: Tell): void {
    const [{ id }] = append as [Seen];
    if (id === null) return this.learn(append);
    const records = (append as readonly SeenTask[]).filter((one) => !isFence(one.recorded));
    if (!this.wrong.has(id)) this.judge(id, records, tell);
    if (!this.traits.isWhole) this.countSkipped(records);
    for (const one of records) this.follow(one);
  }

  forget(id: string): void {
    this.reports.delete(id);
    this.wrong.delete(id);
  }

  /** The events of the append that the command decides otherwise, given the policy for one of another version. */
  differing(
    append: readonly SeenTask[],
    policyOf: (recorded: TaskRecord) => QueuePolicy = (recorded) => this.policyOf(recorded),
  ): Differing | null {
    const records = append.map(({ recorded }) => recorded);
    let state = append[0]?.before ?? taskDecider.initialState;
    for (let at = 0; at < records.length;) {
      if (this.lacksWhatDecided(records[at]!.event)) return null;
      const decision = this.decidedAgain(append.slice(at), state, policyOf(records[at]!));
      const decided = decision.kind === 'accepted' ? decision.events : [];
      const recorded = records.slice(at, at + Math.max(1, decided.length));
      if (!this.isSame(decided, recorded)) return { recorded, decision };
      at += recorded.length;
      state = append[at - 1]!.after;
    }
    return null;
  }

  private lacksWhatDecided(event: TaskEvent): boolean {
    return this.traits.isWhole ? isWithoutContents(event) : NEED_PRIVATE.has(event.type);
  }

  private countSkipped(records: readonly SeenTask[]): void {
    for (const { recorded } of records) {
      const { type } = recorded.event;
      if (NEED_PRIVATE.has(type)) this.skipped.set(type, (this.skipped.get(type) ?? 0) + 1);
    }
  }

  private learn(append: readonly Seen[]): void {
    for (const { recorded } of append) {
      if (!recorded.stream.startsWith(`${QUEUE_CATEGORY}-`)) continue;
      const { queue, policy, policyVersion } = recorded.event.data as Partial<Versioned>;
      if (policy !== undefined && policyVersion !== undefined)
        this.policies.set(`${policyVersion} ${queue}`, wholePolicy(policy));
    }
  }

  private judge(id: string, append: readonly SeenTask[], tell: Tell): void {
    let differing: Differing | null;
    try {
      differing = this.differing(append);
    } catch (error) {
      const first = append[0]!.recorded;
      tell(violation('I7', `Expected to decide '${first.event.type}' again, but: ${(error as Error).message}`, first));
      return void this.wrong.add(id);
    }
    if (!differing) return;
    this.wrong.add(id);
    const { recorded, decision } = differing;
    const before = append.find((one) => one.recorded === recorded[0])!.before.status;
    const says = `Expected '${recorded[0]!.event.type}' to follow from '${before}', but the decider says ${JSON.stringify(decision)}`;
    tell(violation('I7', says, ...recorded));
  }

  /** The decision that the first event belongs to. Late reports have a decider of their own. */
  private decidedAgain(append: readonly SeenTask[], state: TaskState, policy: QueuePolicy) {
    const [{ id, recorded }] = append as [SeenTask];
    if (isLateReport(recorded.event))
      return lateReportDecider.decide(recorded.event.data, this.reports.get(id) ?? lateReportDecider.initialState);
    const records = append.map((one) => one.recorded);
    return taskDecider.decide(commandBehind(records, state, policy, this.traits.isForeign ?? false), state);
  }

  /** Under which an event was decided. */
  policyOf({ event, envelope }: TaskRecord): QueuePolicy {
    return this.policies.get(`${envelope.policyVersion ?? 1} ${event.data.queue}`) ?? DEFAULT_POLICY;
  }

  private isSame(decided: readonly DomainEvent[], recorded: readonly TaskRecord[]): boolean {
    return decided.length === recorded.length && decided.every((event, at) => this.isAlike(event, recorded[at]!.event));
  }

  private isAlike(decided: DomainEvent, recorded: TaskEvent): boolean {
    const data = this.traits.isForeign
      ? asEarlier(decided.data, recorded.data, ADDED_SINCE[decided.type] ?? NOTHING)
      : decided.data;
    const event = { ...decided, data };
    const half = publicHalf(event);
    if (this.traits.isWhole && !hasErasedError(recorded)) return sameContent(event, recorded);
    // What an export has is public already.
    return sameContent(half, recorded) || sameContent(half, publicHalf(recorded));
  }

  /** Only a task that was given out may be reported on late. */
  private follow({ recorded, id, before: task }: SeenTask): void {
    const before = this.reports.get(id);
    if (!before && recorded.event.type !== 'TaskClaimed') return;
    const state = before ?? { ...lateReportDecider.initialState, task };
    this.reports.set(id, lateReportDecider.evolve(state, recorded.event));
  }
}

const NOTHING: readonly string[] = [];

/** Members that earlier builds did not record; `frame` is one of the error. */
const ADDED_SINCE: Readonly<Record<string, readonly string[]>> = {
  TaskFailed: ['ranMs', 'exhausted', 'frame'],
  TaskDecisionRequested: ['frame'],
};

/** What is decided now, without the members that the recorded data lack. */
function asEarlier(decided: object, recorded: object, added: readonly string[]): object {
  if (added.length === 0) return decided;
  const data = { ...decided } as Record<string, unknown>;
  const { error } = recorded as { error?: object };
  for (const member of added) if (!(member in recorded)) delete data[member];
  return error && data.error ? { ...data, error: asEarlier(data.error, error, added) } : data;
}

/** What was decided by what is in the private half alone: whether a report or a change says something new. */
const NEED_PRIVATE: ReadonlySet<string> = new Set([
  'TaskErrorReported',
  'TaskDataRecorded',
  'TaskSignalled',
  'TaskPayloadAmended',
  'TaskSubmissionGathered',
  'TaskOverruled',
]);

interface Versioned {
  readonly queue: string;
  readonly policy: QueuePolicy;
  readonly policyVersion: number;
}
