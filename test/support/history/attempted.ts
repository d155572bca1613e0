import { isOfTask } from '../../../src/check/appends.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { isReserved } from '../../../src/domain/queue/reserved.policy.js';
import { attemptKey, isReported, RECORDED_AS, tokenOf } from '../../../src/check/rules/attempts.js';
import { firedTasks } from '../../../src/check/rules/occurrences.js';
import { derivedId } from '../../../src/application/kernel/derived-id.js';
import { PAST_FIRINGS } from '../../../src/application/triggers/past-firing.js';
import { type History, type Log, type Operation, type TaskRecord, type Violation, violation } from './history.js';

/**
 * I2: every task, claim and settlement in the log was requested by somebody, whatever the answer was. The service's own
 * queues are left out: nobody but the service may use them. Copies of failed tasks are judged with these.
 */
export function* attemptedViolations({ operations }: History, log: Log): Generator<Violation> {
  const attempted = new Set([
    ...firedTasks(log.events),
    ...operations.flatMap(attemptsIn),
    ...attemptsOfTriggers(log),
    ...replayedTasks(log),
  ]);
  const unread = new Set(operations.filter(isUnread).flatMap(attemptsIn));
  for (const [taskId, records] of log.tasks) {
    if (records.some(isOwn)) continue;
    if (!attempted.has(taskId) && !('rerunOf' in records[0]!.event.data))
      yield violation('I2', `Expected task '${taskId}' to be somebody's, but nobody enqueued it`, records[0]);
    for (const recorded of records) {
      const attempt = attemptBehind(taskId, recorded);
      if (attempt !== null && !attempted.has(attempt) && !isOfUnreadClaim(recorded, records, unread))
        yield violation('I2', `Expected '${recorded.event.type}' to be asked for, but nobody did`, recorded);
    }
  }
}

/** What triggers claimed for jobs, and these jobs: the firing is not recorded if the trigger was disabled meanwhile. */
function attemptsOfTriggers({ events }: Log): readonly string[] {
  const servers = new Set(events.map(({ event }) => event as DomainEvent).flatMap(serverOf));
  return events.filter(isOfTask).flatMap(({ event: { type, data } }) => {
    const isForJob = type === 'TaskClaimed' && data.job !== undefined && servers.has(data.server);
    return isForJob ? [`${data.worker} ${data.claimId}`, data.job] : [];
  });
}

const serverOf = ({ type, data }: DomainEvent): readonly string[] =>
  type === 'TriggerDefined' ? [`trigger:${(data as { readonly trigger: string }).trigger}`] : [];

const isOwn = ({ event: { data } }: TaskRecord): boolean => 'queue' in data && isReserved(data.queue);

function attemptsIn(operation: Operation): readonly string[] {
  if (operation.kind === 'enqueue') return [operation.taskId];
  if (operation.kind === 'claim') return [`${operation.worker} ${operation.claimId}`];
  if (operation.kind !== 'settle') return [];
  return [attemptKey(operation.taskId, operation.token, RECORDED_AS[operation.verdict])];
}

const isUnread = ({ kind, outcome }: Operation): boolean => kind === 'claim' && outcome === 'unknown';

/** The service returns what a claim got whose client left before the answer was written. */
function isOfUnreadClaim(recorded: TaskRecord, records: readonly TaskRecord[], unread: ReadonlySet<string>): boolean {
  const { event } = recorded;
  if (event.type !== 'TaskReturned' || !event.data.unstarted) return false;
  return records.some(
    (one) =>
      one.event.type === 'TaskClaimed' && tokenOf(one) === tokenOf(recorded) && unread.has(attemptBehind('', one)!),
  );
}

function attemptBehind(taskId: string, recorded: TaskRecord): string | null {
  const { event } = recorded;
  if (event.type === 'TaskClaimed') return `${event.data.worker} ${event.data.claimId}`;
  // The completion of the last step is recorded with the success that the worker requested.
  if (event.type === 'TaskStepCompleted' && event.data.then === 'finish') return null;
  return isReported(event) ? attemptKey(taskId, tokenOf(recorded), event.type) : null;
}

/** What replays of triggers made: its id follows from the replay, which somebody ordered, and from the event. */
function* replayedTasks({ tasks }: Log): Generator<string> {
  for (const [id, [first]] of tasks) {
    const { event } = ((first!.event.data as { payload?: unknown }).payload ?? {}) as { event?: ToldAgain };
    if (typeof event?.replay !== 'string') continue;
    const order = tasks.get(event.replay)?.[0]?.event.data as { readonly queue?: string } | undefined;
    if (order?.queue === PAST_FIRINGS.name && derivedId(`replay ${event.replay}`, event.id) === id) yield id;
  }
}

interface ToldAgain {
  readonly id: string;
  readonly replay?: string;
}
