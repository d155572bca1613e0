import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { type Decision, type DomainEvent, fold } from '../../../src/domain/kernel/decider.js';
import { sameContent } from '../../../src/domain/kernel/json.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { lateReportDecider } from '../../../src/domain/task/late-reports.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import type { TaskState } from '../../../src/domain/task/task.state.js';
import { isFence, type Log, type TaskRecord, type Violation, violation } from './history.js';
import { commandBehind } from './redecide.js';

/** I7: streams without gaps, growing positions, and no event that the decider would have decided differently. */
export function* streamViolations(log: Log): Generator<Violation> {
  yield* holes(log.events);
  const policies = policiesIn(log.events);
  for (const records of log.tasks.values()) yield* misdecided(records, policies);
}

function* holes(events: readonly RecordedEvent[]): Generator<Violation> {
  const revisions = new Map<string, number>();
  const ids = new Map<string, RecordedEvent>();
  let position = 0n;
  for (const recorded of events) {
    const { stream, revision, id } = recorded;
    const expected = (revisions.get(stream) ?? -1) + 1;
    if (revision !== expected)
      yield violation('I7', `Expected revision ${expected} of '${stream}', but it is ${revision}`, recorded);
    if (recorded.position <= position)
      yield violation('I7', `Expected a position above ${position}, but it is ${recorded.position}`, recorded);
    if (ids.has(id))
      yield violation('I7', `Expected one event of id '${id}', but there are two`, ids.get(id), recorded);
    revisions.set(stream, revision);
    position = recorded.position;
    ids.set(id, recorded);
  }
}

/** By version and queue, as `"<version> <queue>"`. */
type Policies = ReadonlyMap<string, QueuePolicy>;

function policiesIn(events: readonly RecordedEvent[]): Policies {
  const policies = new Map<string, QueuePolicy>();
  for (const { event } of events) {
    if (event.type !== 'QueueDefined' && event.type !== 'QueuePolicyChanged') continue;
    const { queue, policy, policyVersion } = event.data as {
      queue: string;
      policy: QueuePolicy;
      policyVersion: number;
    };
    policies.set(`${policyVersion} ${queue}`, policy);
  }
  return policies;
}

function* misdecided(records: readonly TaskRecord[], policies: Policies): Generator<Violation> {
  let state = taskDecider.initialState;
  for (let at = 0; at < records.length;) {
    const first = records[at]!;
    if (isFence(first)) {
      at += 1;
      continue;
    }
    const { queue } = first.event.data;
    const policy = policies.get(`${first.envelope.policyVersion ?? 1} ${queue}`) ?? DEFAULT_POLICY;
    const decision = decidedAgain(records, at, state, policy);
    const decided: readonly TaskEvent[] = decision.kind === 'accepted' ? decision.events : [];
    const recorded = records.slice(at, at + Math.max(1, decided.length));
    if (!sameEvents(decided, recorded)) {
      const says = `Expected '${first.event.type}' to follow from '${state.status}', but the decider says ${JSON.stringify(decision)}`;
      yield violation('I7', says, ...recorded);
      return;
    }
    state = decided.reduce(taskDecider.evolve, state);
    at += decided.length;
  }
}

/** The decision that the event at `at` belongs to. Late reports have a decider of their own. */
function decidedAgain(
  records: readonly TaskRecord[],
  at: number,
  state: TaskState,
  policy: QueuePolicy,
): Decision<TaskEvent, unknown> {
  const { event } = records[at]!;
  if (event.type !== 'TaskLateReportRefused')
    return taskDecider.decide(commandBehind(records.slice(at), state, policy), state);
  const before = records.slice(0, at).flatMap((one) => (isFence(one) ? [] : [one.event]));
  return lateReportDecider.decide(event.data, fold(lateReportDecider, before));
}

const sameEvents = (decided: readonly DomainEvent[], recorded: readonly TaskRecord[]): boolean =>
  decided.length === recorded.length && decided.every((event, at) => sameContent(event, recorded[at]!.event));
