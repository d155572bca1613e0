import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import { attemptKey, isReported, RECORDED_AS, tokenOf } from '../../../src/check/rules/attempts.js';
import {
  type EnqueueAttempt,
  type History,
  type Log,
  push,
  type SettleAttempt,
  type TaskRecord,
  type Violation,
  violation,
} from './history.js';

/** I1 and I4: what was acknowledged is in the log, once, and has ended. */
export function* acknowledgedViolations({ operations }: History, log: Log): Generator<Violation> {
  const settlements: SettleAttempt[] = [];
  for (const operation of operations) {
    if (operation.kind === 'enqueue' && operation.outcome === 'ok') yield* lost(operation, log);
    if (operation.kind === 'settle') settlements.push(operation);
  }
  for (const [taskId, records] of log.tasks) yield* unfinished(taskId, records);
  yield* completedTwice(settlements, log);
  yield* settledOtherwise(settlements, log);
}

function* lost({ taskId, queue, key, answer }: EnqueueAttempt, log: Log): Generator<Violation> {
  const { id, position } = answer!;
  const [first] = log.tasks.get(id) ?? [];
  if (!first) {
    yield violation('I1', `Expected task '${id}', which was acknowledged, to be in the log, but it is not`);
    return;
  }
  const at = log.at(BigInt(position));
  if (at?.stream !== first.stream)
    yield violation('I1', `Expected position ${position} to be of task '${id}', but it is not`, at);
  const { queue: ofQueue, key: ofKey = null } = first.event.data as { queue: string; key?: string };
  if (id !== taskId && (ofQueue !== queue || ofKey !== key))
    yield violation('I1', `Expected task '${id}' to answer for one of key '${String(key)}', but it has another`, first);
}

const IRRELEVANT = new Set([
  'TaskReservationAbandoned',
  'TaskReprioritised',
  'TaskRescheduled',
  'TaskPayloadAmended',
  'TaskSubmissionGathered',
  'TaskSignalled',
  'TaskPrerequisitesChanged',
  'TaskLateReportRefused',
  'TaskErased',
]);
const LAST = new Set(['TaskSucceeded', 'TaskFailed', 'TaskSuperseded', 'TaskCancelled', 'TaskAborted', 'TaskDeleted']);

const isLast = (event: TaskEvent): boolean =>
  LAST.has(event.type) ||
  event.type === 'TaskEnqueueRejected' ||
  (event.type === 'TaskOverruled' && event.data.verdict !== 'requeue');

/** Success or a final failure. Only a person's retry leads out of either. */
const FINISHES = new Set(['TaskSucceeded', 'TaskFailed']);

function* unfinished(taskId: string, records: readonly TaskRecord[]): Generator<Violation> {
  let finish: TaskRecord | undefined;
  for (const recorded of records) {
    const { type } = recorded.event;
    if (finish && FINISHES.has(type))
      yield violation('I1', `Expected task '${taskId}' to finish once`, finish, recorded);
    if (FINISHES.has(type)) finish = recorded;
    else if (type === 'TaskRetried' || type === 'TaskRestored') finish = undefined;
  }
  const last = records.findLast(({ event }) => !IRRELEVANT.has(event.type));
  if (last && !isLast(last.event))
    yield violation('I1', `Expected task '${taskId}' to be finished, but '${last.event.type}' was its last`, last);
}

/** From the workers' view: two of them, or one under two claims, were told that they completed the task. */
function* completedTwice(settlements: readonly SettleAttempt[], log: Log): Generator<Violation> {
  const firsts = new Map<string, string>();
  for (const { taskId, token, verdict, outcome } of settlements) {
    if (verdict !== 'succeed' || outcome !== 'ok') continue;
    const first = firsts.get(taskId) ?? token;
    firsts.set(taskId, first);
    if (first !== token) {
      const says = `Expected task '${taskId}' to succeed under one claim, but ${first} and ${token} were acknowledged`;
      yield violation('I1', says, ...(log.tasks.get(taskId) ?? []));
    }
  }
}

/** All attempts at the same settlement, as a client repeats it, with everything that was recorded for it. */
interface Settled {
  readonly attempts: SettleAttempt[];
  readonly records: TaskRecord[];
}

function* settledOtherwise(settlements: readonly SettleAttempt[], log: Log): Generator<Violation> {
  for (const { attempts, records } of bySettlement(settlements, log)) {
    const { taskId, token, verdict } = attempts[0]!;
    const what = `'${verdict}' of task '${taskId}' under token ${token}`;
    const outcomes = new Set(attempts.map(({ outcome }) => outcome));
    if (records.length > 1 && verdict !== 'reportError' && verdict !== 'completeStep')
      yield violation('I4', `Expected ${what} to be recorded once`, ...records);
    if (records.length === 0 && outcomes.has('ok'))
      yield violation(
        'I4',
        `Expected ${what}, which was acknowledged, to be recorded`,
        ...(log.tasks.get(taskId) ?? []),
      );
    if (records.length > 0 && outcomes.size === 1 && outcomes.has('refused'))
      yield violation('I4', `Expected ${what}, which was refused, to change nothing`, ...records);
  }
}

function bySettlement(settlements: readonly SettleAttempt[], log: Log): Iterable<Settled> {
  const attempts = new Map<string, SettleAttempt[]>();
  for (const one of settlements) push(attempts, attemptKey(one.taskId, one.token, RECORDED_AS[one.verdict]), one);
  const records = new Map<string, TaskRecord[]>();
  for (const [taskId, recorded] of log.tasks)
    for (const one of recorded)
      if (isReported(one.event)) push(records, attemptKey(taskId, tokenOf(one), one.event.type), one);
  return [...attempts].map(([key, tried]) => ({ attempts: tried, records: records.get(key) ?? [] }));
}
