import { MOST_EVENTS, MOST_REPORTED_BYTES } from '../../domain/task/bounds.js';
import { MOST_SIGNALS } from '../../domain/task/waits.js';
import type { Rejection } from '../../application/kernel/application-error.js';
import { APPLICATION_REJECTIONS } from './application-rejections.js';
import { BATCH_REJECTIONS } from './batch-rejections.js';
import { oneOf, type Row, type Rows } from './row.js';
import { verbOf, verbsOf } from './verbs.js';
import type { InputFault } from '../input/invalid-input.js';

/** RFC 9457 problem details. Further members are the facts of the refusal. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  /** The code to branch on. */
  readonly code: string;
  /** Identifies the request in the service's logs. */
  readonly traceId?: string;
  readonly errors?: readonly InputFault[];
  readonly [data: string]: unknown;
}

export type RejectionCode = Rejection['code'];

const afterColon = (reason: string | null): string => (reason === null ? '' : `: ${reason}`);

/** The API's answer to each refusal. A refusal without a row does not compile. */
export const REJECTIONS: Rows<Rejection> = {
  TASK_NOT_FOUND: {
    status: 404,
    title: 'No such task',
    detail: () => 'Expected the task to exist, but no task has this id',
  },
  TASK_EXISTS: {
    status: 409,
    title: 'Another task or a batch has this id',
    detail: () =>
      'Expected a new id or an identical submission, but a task with different content, or a batch, has this id',
  },
  ILLEGAL_TRANSITION: {
    status: 409,
    title: "The task's state does not allow this",
    detail: ({ command, state, allowed }) =>
      `Expected a task that allows '${verbOf(command)}', but it is ${state}, which allows ${oneOf(verbsOf(allowed))}`,
  },
  COMMAND_NOT_OFFERED: {
    status: 409,
    title: 'The queue does not offer this command',
    detail: ({ command, state, offered }) =>
      `Expected a command that the queue offers (${oneOf(verbsOf(offered))}), but got '${verbOf(command)}'` +
      (state === null ? '' : ` for a task that is ${state}`),
  },
  TASK_ALREADY_CLAIMED: {
    status: 409,
    title: 'Another worker has claimed the task',
    detail: ({ by, attempt }) => `Expected to claim the task, but worker '${by}' has it (attempt ${attempt})`,
  },
  LEASE_LOST: {
    status: 409,
    title: 'The claim is over',
    detail: ({ state, attempt, heldBy }) =>
      'Expected the token of the current claim, but ' +
      (heldBy === null
        ? `the task is ${state} after attempt ${attempt}`
        : `worker '${heldBy}' has the task (attempt ${attempt})`),
  },
  PREREQUISITE_NOT_FOUND: {
    status: 422,
    title: 'A prerequisite does not exist',
    detail: ({ prerequisite, is }) =>
      'Expected every prerequisite to exist, but ' +
      (is === undefined
        ? `no task or batch has the id '${prerequisite}'`
        : `'${prerequisite}' is a ${is}: name it as '${is}'`),
  },
  PREREQUISITE_DEAD: {
    status: 409,
    title: 'A prerequisite can never be done',
    detail: ({ prerequisite, state }) =>
      `Expected prerequisites that can still be done, but '${prerequisite}' is ${state} for good`,
  },
  PREREQUISITE_CYCLE: {
    status: 409,
    title: 'The tasks would wait for each other',
    detail: ({ cycle }) =>
      `Expected prerequisites without a cycle, but ${[...cycle, cycle[0]!].join(' would wait for ')}`,
  },
  GRAPH_TOO_LARGE: {
    status: 409,
    title: 'The graph is too large for this change',
    detail: ({ limit }) =>
      `Expected to find out within ${limit} prerequisites whether tasks would wait for each other, but too many lead to these tasks and from them: ` +
      'send fewer such changes in one request',
  },
  TASK_AWAITED: {
    status: 409,
    title: 'Another task waits for this one',
    detail: ({ awaitedBy }) =>
      `Expected a task that no unfinished task waits for, but '${awaitedBy}' does: waive that prerequisite, or abort the task`,
  },
  HOLD_IN_FORCE: {
    status: 409,
    title: 'A hold is in force',
    detail: ({ hold, by, reason }) =>
      `Expected a task that no hold catches, but hold '${hold}', placed by '${by}', does${afterColon(reason)}`,
  },
  ...BATCH_REJECTIONS,
  CANCEL_NOT_REQUESTED: {
    status: 409,
    title: 'No cancellation was requested',
    detail: () => 'Expected to confirm a cancellation, but none was requested',
  },
  STEP_UNKNOWN: {
    status: 422,
    title: 'No such step',
    detail: ({ step, steps }) =>
      (steps.length === 0
        ? `Expected no step, because there are none, but got '${step}': `
        : `Expected one of the steps (${oneOf(steps)}), but got '${step}': use one of these, or `) +
      "add the step to the queue's policy, for tasks that come later",
  },
  STEP_OUT_OF_ORDER: {
    status: 409,
    title: 'The steps must be completed in order',
    detail: ({ step, expected }) =>
      (expected === null
        ? 'Expected no step, because none is left'
        : `Expected step '${expected}' to be completed next`) + `, but got '${step}'`,
  },
  HISTORY_FULL: {
    status: 409,
    title: "The task's history is full",
    detail: ({ events, bytes }) =>
      `Expected a history of fewer than ${MOST_EVENTS} events with at most ${MOST_REPORTED_BYTES} bytes of reports, but it has ${events} events with ${bytes} bytes: let the attempt succeed or fail, or cancel or abort the task`,
  },
  RETRY_STEP_NEEDS_OVERRIDE: {
    status: 409,
    title: 'Another step comes next',
    detail: ({ step, implied }) =>
      `Expected to start from ${implied === null ? 'the beginning of the task' : `step '${implied}'`}, but got step '${step}': set 'override' to allow it`,
  },
  STEP_NOT_RESUMABLE: {
    status: 409,
    title: 'The step cannot be resumed',
    detail: ({ step }) =>
      `Expected a step that the queue lets a task resume at, but it does not allow '${step}': name a later step, with 'override'`,
  },
  PRIORITY_NOT_TAKEN: {
    status: 422,
    title: 'The queue decides the priority',
    detail: ({ queue }) =>
      `Expected no priority, because the policy of queue '${queue}' decides it, but got one: leave it out`,
  },
  NEEDS_NOT_TAKEN: {
    status: 422,
    title: 'The queue looks at no needs',
    detail: ({ queue }) =>
      `Expected no needs, because the policy of queue '${queue}' looks at none, but got some: set its field 'needs', such as to {}, or leave them out`,
  },
  NEEDS_NOT_POSSIBLE: {
    status: 422,
    title: 'The order of the queue leaves no room for needs',
    detail: ({ queue, beside }) =>
      `Expected the policy of queue '${queue}' to have either 'needs' or '${beside}', because one worker has the queue to itself and tasks that need another one would never run, ` +
      `but it has both: leave out one`,
  },
  NEEDS_NOT_MET: {
    status: 409,
    title: 'The worker does not offer what the task needs',
    detail: ({ needs }) =>
      `Expected the worker to offer all that the task needs, which is ${JSON.stringify(needs)}, but it does not`,
  },
  DATA_TOO_LARGE: {
    status: 413,
    title: "The task's data are too large",
    detail: ({ bytes, limit }) =>
      `Expected the data of the task to have at most ${limit} bytes as JSON, but they would have ${bytes}: remove members by setting them to null, or keep large values elsewhere`,
  },
  SIGNALS_FULL: {
    status: 409,
    title: 'The task takes no more signals',
    detail: ({ signals, bytes }) =>
      `Expected fewer than ${MOST_SIGNALS} signals that its handler has not asked for, and a history with at most ${MOST_REPORTED_BYTES} bytes of reports, but it has ${signals} signals and ${bytes} bytes: wait until the task has run, or cancel it`,
  },
  FAILURE_IS_FINAL: {
    status: 409,
    title: 'The failure is final',
    detail: () => 'Expected a failure that can be retried, but this one is final',
  },
  TASK_ERASED: {
    status: 409,
    title: 'What the task was about is erased',
    detail: () => 'Expected a task whose contents are there, but they were erased: it can only be deleted',
  },
  APPROVAL_NEEDED: {
    status: 409,
    title: 'Somebody else must approve the erasure',
    detail: ({ by }) =>
      `Expected somebody else with the permission 'erase' to release an erasure that '${by}' ordered, but got another release`,
  },
  TASK_NOT_ENDED: {
    status: 409,
    title: 'The task has not ended',
    detail: ({ state }) => `Expected a task that has ended, but it is ${state}`,
  },
  TASK_NOT_REPEATABLE: {
    status: 409,
    title: 'The task cannot run again by itself',
    detail: ({ because }) =>
      because === 'planner'
        ? 'Expected a task that can run again by itself, but it planned a batch: run the batch again'
        : 'Expected a task that can run again by itself, but it is the job of items that a trigger claimed: run the items again',
  },
  REASON_REQUIRED: { status: 422, title: 'A reason is required', detail: () => 'Expected a reason, but got none' },
  KEY_ALREADY_WAITING: {
    status: 409,
    title: 'Another task with this key is waiting',
    detail: ({ key, conflictingTaskId }) =>
      `Expected the waiting place of key '${key}' to be free, but task '${conflictingTaskId}' has it`,
  },
  KEY_BUSY: {
    status: 409,
    title: 'Another task uses this key',
    detail: ({ key, conflictingTaskId }) =>
      `Expected to start the task at once, but task '${conflictingTaskId}' uses key '${key}'`,
  },
  REFERENCE_IN_USE: {
    status: 409,
    title: 'Another task has this reference',
    detail: ({ reference, conflictingTaskId, uniqueReference }) =>
      `Expected reference '${reference}' to be free, but task '${conflictingTaskId}' has it, perhaps in the archive: ` +
      `the queue's uniqueReference is '${uniqueReference}', so ` +
      (uniqueReference === 'open' ? "the task's success, abort or deletion frees it" : 'only another policy frees it'),
  },
  QUEUE_NOT_FOUND: {
    status: 404,
    title: 'No such queue',
    detail: ({ queue }) => `Expected queue '${queue}' to exist, but it does not: define it first`,
  },
  QUEUE_ILLEGAL_TRANSITION: {
    status: 409,
    title: "The queue's state does not allow this",
    detail: ({ command, state, allowed }) =>
      `Expected a queue that allows '${verbOf(command)}', but it is ${state}, which allows ${oneOf(verbsOf(allowed))}`,
  },
  POLICY_VERSION_MISMATCH: {
    status: 412,
    title: 'The policy has changed',
    detail: ({ expected, actual }) =>
      `Expected policy version ${expected}, but the current version is ${actual}: read it again`,
  },
  INTAKE_CLOSED: {
    status: 409,
    title: "The queue's intake is closed",
    detail: ({ queue, by, reason }) =>
      `Expected the intake of queue '${queue}' to be open, but '${by}' closed it${afterColon(reason)}`,
  },
  DRAINING: {
    status: 409,
    title: 'The system takes no new tasks',
    detail: ({ by, reason }) => `Expected a system that takes new tasks, but '${by}' drains it${afterColon(reason)}`,
  },
  QUEUE_RESERVED: {
    status: 403,
    title: 'The queue is reserved',
    detail: ({ queue }) => `Expected a queue of your own, but '${queue}' belongs to the service itself`,
  },
  LABEL_RESERVED: {
    status: 403,
    title: 'The label is reserved',
    detail: ({ label }) =>
      `Expected labels of your own, but '${label}' belongs to the service itself: call it something that does not begin with 'waybill.'`,
  },
  QUEUE_FINISHED: {
    status: 409,
    title: 'The queue is finished',
    detail: ({ queue }) => `Expected queue '${queue}' to accept tasks, but it is finished: reopen it first`,
  },
  QUEUE_NOT_EMPTY: {
    status: 409,
    title: 'The queue has open tasks',
    detail: ({ queue }) => `Expected all tasks of queue '${queue}' to have ended, but some are open`,
  },
  PRESET_NOT_FOUND: {
    status: 422,
    title: 'No such preset',
    detail: ({ preset, known }) => `Expected one of the presets ${oneOf(known)}, but got '${preset}'`,
  },
  CRON_INVALID: {
    status: 422,
    title: 'The cron pattern is invalid',
    detail: ({ cron, reason }) =>
      `Expected '${cron}' to be a cron pattern with times that come, but it is not: ${reason}`,
  },
  TRIGGER_NOT_FOUND: {
    status: 404,
    title: 'No such trigger',
    detail: ({ trigger }) => `Expected trigger '${trigger}' to exist, but it does not`,
  },
  TRIGGER_CYCLE: {
    status: 422,
    title: 'The triggers would lead to each other',
    detail: ({ cycle }) =>
      `Expected the tasks that a trigger makes not to lead to more of them, but triggers lead from ${cycle.join(' to ')} and back`,
  },
  TOO_MANY_OWED: {
    status: 409,
    title: 'The trigger owes tasks of too many events',
    detail: ({ count, from, to }) =>
      `Expected the trigger to make tasks of events within a time, but it failed for so long that it gave up the oldest ${count}, from ${from} to ${to}`,
  },
  NOTHING_READY: {
    status: 409,
    title: 'The queue gives out nothing',
    detail: ({ queue }) => `Expected queue '${queue}' to have a task to claim, but it gives out none now`,
  },
  NOT_PREVIEWED: {
    status: 409,
    title: 'This cannot be previewed',
    detail: ({ trigger }) =>
      `Expected a command that records nothing before it is decided, but trigger '${trigger}' claims tasks when it fires`,
  },
  LEGAL_HOLD_IN_FORCE: {
    status: 403,
    title: 'The hold forbids erasures',
    detail: ({ hold }) =>
      `Expected a caller with the permission 'erase' for all queues, because '${hold}' forbids erasures, but got one without it`,
  },
  LOSS_NOT_FOUND: {
    status: 409,
    title: 'The notary found no such loss',
    detail: ({ size, lost }) =>
      lost === null
        ? `Expected the log not to go on from what was sealed with ${size} leaves, but it does`
        : `Expected a loss of the log that was sealed with ${lost} leaves, but got ${size}: look at it again`,
  },
  LOG_NOT_SEALED: {
    status: 409,
    title: 'The log is not sealed under this name',
    detail: ({ log, sealed }) =>
      sealed === null
        ? `Expected the notary to seal the log '${log}', but it seals none now`
        : `Expected the notary to seal the log '${log}', but it seals '${sealed}': look at it again`,
  },
  HOLD_NOT_FOUND: {
    status: 404,
    title: 'No such hold',
    detail: ({ hold }) => `Expected hold '${hold}' to exist, but it was never placed`,
  },
  FAILURE_GROUP_NOT_FOUND: {
    status: 404,
    title: 'No such group of failures',
    detail: ({ group }) => `Expected failures in group '${group}', but there are none`,
  },
  OPERATION_NOT_FOUND: {
    status: 404,
    title: 'No such operation',
    detail: ({ operation }) => `Expected '${operation}' to be an operation, but it is none`,
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    title: 'No such resource',
    detail: ({ resource }) =>
      `Expected resource '${resource}' to exist, but it was never defined, or was deleted: define it first`,
  },
  RESOURCE_NEEDED: {
    status: 409,
    title: 'A queue needs the resource',
    detail: ({ resource, queue, step }) =>
      `Expected a resource that no queue needs, but step '${step}' of queue '${queue}' needs '${resource}'`,
  },
  VIEW_NOT_FOUND: {
    status: 404,
    title: 'No such view',
    detail: ({ view }) => `Expected view '${view}' to be saved for everybody, but it never was`,
  },
  TOO_MANY_VIEWS: {
    status: 409,
    title: 'Too many views',
    detail: ({ most }) => `Expected fewer than ${most} views beside a new one, but there are ${most}: delete one first`,
  },
  POLICY_CONTRADICTORY: {
    status: 422,
    title: 'The policy contradicts itself',
    detail: ({ queue, duplicatePending }) =>
      `Expected 'duplicatePending' of queue '${queue}' to be 'allow', so that a failed task can block others with its key, ` +
      `but it is '${duplicatePending}'`,
  },
  SEARCH_NOT_POSSIBLE: {
    status: 422,
    title: 'Payloads outside the log cannot be searched',
    detail: ({ queue, search, beside }) =>
      `Expected the policy of queue '${queue}' to have either 'search' or '${beside}', because payloads outside the log are not ` +
      `searched, but it has both: leave out '${beside}', or the paths ${search.join(', ')}`,
  },
  GATHER_NOT_POSSIBLE: {
    status: 422,
    title: 'The queue cannot gather submissions so',
    detail: ({ queue, beside }) =>
      `Expected the policy of queue '${queue}' to gather submissions without '${beside}', because ` +
      (beside === 'dueTimes'
        ? "they say when their task is due, but it has both: set 'dueTimes' to null, or 'duplicatePending' to another value"
        : `a list of payloads grows, but it has both: leave out '${beside}', or set 'gather.payloads' to 'last'`),
  },
  NOT_GATHERED: {
    status: 422,
    title: 'The submission is not gathered',
    detail: ({ queue, because }) =>
      because === 'duplicatePending'
        ? `Expected 'duplicatePending' of queue '${queue}' to be 'gather', because the submission says 'gather', but it is not: leave 'gather' out, or change the policy`
        : because === 'key'
          ? `Expected a submission with 'gather' to have a key, but it has none: add the key whose submissions become one task`
          : `Expected a submission with 'gather' without '${because}', because such a task is one of its own, but it has both: leave one of them out`,
  },
  NOT_GATHERING: {
    status: 409,
    title: 'The task does not take the submission in',
    detail: ({ because }) => `Expected a waiting task that takes the submission in, but it does not (${because})`,
  },
  LABEL_NOT_LIMITED: {
    status: 422,
    title: 'The label has no limit',
    detail: ({ queue, label }) =>
      `Expected 'perLabel' of queue '${queue}' to have 'maxRunning' or 'rate' for the values of the label '${label}', but it has neither: ` +
      `add one of them, or set 'perLabel' to null`,
  },
  LABEL_VALUE_TWICE: {
    status: 422,
    title: 'A value has two limits',
    detail: ({ queue, label, labelValue }) =>
      `Expected 'perLabel.values' of queue '${queue}' to have one entry for each value of the label '${label}', but '${labelValue}' has two: remove one`,
  },
  LABEL_DIFFERS: {
    status: 422,
    title: 'Another label is limited',
    detail: ({ queue, label, given }) =>
      `Expected a limit for the label '${label}', because queue '${queue}' limits its values and those of no other label, but got one for '${given}': ` +
      `name '${label}', or change 'perLabel' of its policy`,
  },
  TOO_MANY_LIMITS: {
    status: 422,
    title: 'Too many values have limits',
    detail: ({ queue, most }) =>
      `Expected at most ${most} values with limits of their own in queue '${queue}', but it has as many: take those of another value away, or raise those of all`,
  },
  FAIR_LABEL_DIFFERS: {
    status: 422,
    title: 'Turns and limits are those of different labels',
    detail: ({ queue, label, limited }) =>
      `Expected 'fair' and 'perLabel' of queue '${queue}' to name the same label, but they name '${label}' and '${limited}': give both the same, or set one to null`,
  },
  AWAITED_QUEUE_NOT_FOUND: {
    status: 422,
    title: 'No such queue to wait for',
    detail: ({ queue, awaited }) =>
      `Expected queue '${awaited}' to exist, because queue '${queue}' is to wait for it, but it does not: define it first`,
  },
  QUEUES_WAIT_IN_CYCLE: {
    status: 409,
    title: 'The queues would wait for each other',
    detail: ({ queue, cycle }) =>
      `Expected queue '${queue}' not to wait for itself, but it would: ${[...cycle, queue].join(' -> ')}`,
  },
  QUEUE_AWAITED: {
    status: 409,
    title: 'Another queue waits for the queue',
    detail: ({ queue, by }) => `Expected no queue to wait for queue '${queue}', but the policy of queue '${by}' does`,
  },
  PAUSE_IN_THE_PAST: {
    status: 422,
    title: 'The pause would end in the past',
    detail: ({ queue, until, now }) =>
      `Expected queue '${queue}' to be paused until a time in the future, but ${until} is in the past: the service's clock shows ${now}`,
  },
  START_NOT_ALLOWED: {
    status: 409,
    title: 'The queue does not let tasks start at once',
    detail: ({ queue, because }) =>
      `Expected queue '${queue}' to let a task start at once, but it ${
        because === 'limited' ? 'limits what runs, or where' : `is ${because}`
      }: enqueue the task instead`,
  },
  KEY_REQUIRED: {
    status: 422,
    title: 'A key is required',
    detail: ({ queue }) => `Expected a key, which the policy of queue '${queue}' requires, but got none`,
  },
  KIND_NOT_ACCEPTED: {
    status: 422,
    title: 'The queue does not accept this kind',
    detail: ({ queue, kind, kinds }) =>
      `Expected one of the kinds that queue '${queue}' accepts ('${kinds.join("', '")}'), but got '${kind}'`,
  },
  PAYLOAD_SCHEMA_INVALID: {
    status: 422,
    title: 'A payload schema cannot be used',
    detail: ({ queue, kind, because }) =>
      `Expected the payload schema of kind '${kind}' in queue '${queue}' to be a JSON Schema (2020-12) that can be checked in bounded time, but ${because}`,
  },
  PAYLOAD_INVALID: {
    status: 422,
    title: 'The payload does not match its schema',
    detail: ({ queue, kind, policyVersion, at, because }) =>
      `Expected the payload to match the schema of kind '${kind}' in queue '${queue}' (policy version ${policyVersion}), but ${at === '' ? 'it' : `'${at}'`} ${because}`,
  },
  PAYLOAD_DIGEST_MISMATCH: {
    status: 422,
    title: 'The payload is not the one of the digest',
    detail: ({ given, actual }) =>
      `Expected the payload to have the SHA-256 ${given} (of its canonical JSON, RFC 8785), but it has ${actual}`,
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The payload is too large',
    detail: ({ bytes, limit }) =>
      `Expected a payload, result or error of at most ${limit} bytes, which the queue's policy allows, but it has ${bytes}`,
  },
  PAYLOAD_MISSING: {
    status: 409,
    title: 'The payload is not in the payload store',
    detail: ({ sha256 }) =>
      `Expected a payload, but this one stands for one that is stored outside the log, and the payload store has none with the digest ${sha256} of this task`,
  },
  PAYLOAD_CHANGED: {
    status: 409,
    title: 'The payload was changed in the payload store',
    detail: ({ sha256 }) => `Expected the payload with the digest ${sha256}, but the payload store has another one`,
  },
  ...APPLICATION_REJECTIONS,
};

const TYPE = 'https://waybill.dev/problems/';

export interface ProblemFrame {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

export const problem = ({ code, status, title, detail }: ProblemFrame, data: object = {}): Problem => ({
  type: TYPE + code.toLowerCase().replaceAll('_', '-'),
  title,
  status,
  detail,
  code,
  ...data,
});

/**
 * The problem document for a refusal, whose facts become further members. `index` is the number of the command in its
 * transaction.
 */
export function problemOfRejection(rejection: Rejection, index: number | null = null): Problem {
  const { code, ...data } = rejection;
  const { status, title, detail } = REJECTIONS[code] as Row<never>;
  return problem(
    { code, status, title, detail: detail(rejection as never) },
    { ...data, ...(index !== null && { index }) },
  );
}
