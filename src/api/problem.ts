import type { Rejection } from '../application/kernel/application-error.js';
import type { InputFault } from './input/invalid-input.js';

/** RFC 9457 problem details. Further members are the data of the refusal. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  /** What to branch on. */
  readonly code: string;
  /** Names the request in the service's logs. */
  readonly traceId?: string;
  readonly errors?: readonly InputFault[];
  readonly [data: string]: unknown;
}

export type RejectionCode = Rejection['code'];

type Of<C extends RejectionCode> = Extract<Rejection, { readonly code: C }>;

interface Row<R> {
  readonly status: number;
  readonly title: string;
  readonly detail: (rejection: R) => string;
}

const oneOf = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.join(', '));
const because = (reason: string | null): string => (reason === null ? '' : `: ${reason}`);

/** What the API answers to each refusal. A refusal without a row does not compile. */
export const REJECTIONS: { readonly [C in RejectionCode]: Row<Of<C>> } = {
  TASK_NOT_FOUND: {
    status: 404,
    title: 'No such task',
    detail: () => 'Expected the task to exist, but there is none with this id',
  },
  TASK_EXISTS: {
    status: 409,
    title: 'Another task has this id',
    detail: () => 'Expected the id to be new, or its submission to be the same, but a task with other content has it',
  },
  ILLEGAL_TRANSITION: {
    status: 409,
    title: 'Not possible in the state of the task',
    detail: ({ command, state, allowed }) =>
      `Expected a task on which '${command}' is possible, but it is ${state}, which allows ${oneOf(allowed)}`,
  },
  COMMAND_NOT_OFFERED: {
    status: 409,
    title: "Not offered by the queue's preset",
    detail: ({ command, state, preset, offered }) =>
      `Expected a command that preset '${preset}' offers (${oneOf(offered)}), but got '${command}'` +
      (state === null ? '' : ` for a task that is ${state}`),
  },
  TASK_ALREADY_CLAIMED: {
    status: 409,
    title: 'Another worker has the task',
    detail: ({ by, attempt }) => `Expected to claim the task, but attempt ${attempt} of worker '${by}' holds it`,
  },
  LEASE_LOST: {
    status: 409,
    title: 'The claim is over',
    detail: ({ state, attempt, heldBy }) =>
      'Expected the token of the current claim, but ' +
      (heldBy === null
        ? `the task is ${state} after attempt ${attempt}`
        : `attempt ${attempt} of worker '${heldBy}' holds the task`),
  },
  CANCEL_NOT_REQUESTED: {
    status: 409,
    title: 'Nobody asked for the cancellation',
    detail: () => 'Expected to confirm a cancellation, but none was requested',
  },
  STEP_UNKNOWN: {
    status: 422,
    title: 'No such step',
    detail: ({ step, steps }) => `Expected one of the steps of the task (${oneOf(steps)}), but got '${step}'`,
  },
  STEP_OUT_OF_ORDER: {
    status: 409,
    title: 'Not the turn of this step',
    detail: ({ step, expected }) =>
      `Expected step ${expected === null ? 'none' : `'${expected}'`} to complete, but got '${step}'`,
  },
  RETRY_STEP_NEEDS_OVERRIDE: {
    status: 409,
    title: 'Another step is implied',
    detail: ({ step, implied }) =>
      `Expected to begin again with ${implied === null ? 'the task as a whole' : `step '${implied}'`}, but got '${step}': say 'override'`,
  },
  FAILURE_IS_FINAL: {
    status: 409,
    title: 'The failure is final',
    detail: () => 'Expected a failure that may be retried, but this one is final',
  },
  REASON_REQUIRED: { status: 422, title: 'A reason is required', detail: () => 'Expected a reason, but got none' },
  KEY_ALREADY_WAITING: {
    status: 409,
    title: 'A task of this key already waits',
    detail: ({ key, conflictingTaskId }) =>
      `Expected the waiting place of key '${key}' to be free, but task '${conflictingTaskId}' has it`,
  },
  REFERENCE_IN_USE: {
    status: 409,
    title: 'Another task has this reference',
    detail: ({ reference, conflictingTaskId }) =>
      `Expected reference '${reference}' to be free, but task '${conflictingTaskId}' has it`,
  },
  QUEUE_NOT_FOUND: {
    status: 404,
    title: 'No such queue',
    detail: ({ queue }) => `Expected queue '${queue}' to exist, but there is none: define it first`,
  },
  QUEUE_ILLEGAL_TRANSITION: {
    status: 409,
    title: 'Not possible in the state of the queue',
    detail: ({ command, state, allowed }) =>
      `Expected a queue on which '${command}' is possible, but it is ${state}, which allows ${oneOf(allowed)}`,
  },
  POLICY_VERSION_MISMATCH: {
    status: 412,
    title: 'The policy was changed meanwhile',
    detail: ({ expected, actual }) => `Expected policy version ${expected}, but it is at ${actual}: read it again`,
  },
  INTAKE_CLOSED: {
    status: 409,
    title: 'The queue takes no tasks in',
    detail: ({ queue, by, reason }) =>
      `Expected the intake of queue '${queue}' to be open, but '${by}' closed it${because(reason)}`,
  },
  QUEUE_FINISHED: {
    status: 409,
    title: 'The queue is finished',
    detail: ({ queue }) => `Expected queue '${queue}' to take tasks in, but it is finished: reopen it first`,
  },
  QUEUE_NOT_EMPTY: {
    status: 409,
    title: 'The queue has open tasks',
    detail: ({ queue }) => `Expected every task of queue '${queue}' to be final, but some are not`,
  },
  PRESET_NOT_FOUND: {
    status: 422,
    title: 'No such preset',
    detail: ({ preset, known }) => `Expected one of the presets ${oneOf(known)}, but got '${preset}'`,
  },
  SCHEDULE_INVALID: {
    status: 422,
    title: 'No such schedule',
    detail: ({ queue, reason }) => `Expected a schedule for queue '${queue}', but got none: ${reason}`,
  },
  KEY_FAILURE_NEEDS_LINE: {
    status: 422,
    title: 'The policy contradicts itself',
    detail: ({ queue, duplicatePending }) =>
      `Expected queue '${queue}' to let the tasks of a key line up, so that a failed one can block them, ` +
      `but 'duplicatePending' is '${duplicatePending}': make it 'allow'`,
  },
  AWAITED_QUEUE_NOT_FOUND: {
    status: 422,
    title: 'No such queue to wait for',
    detail: ({ queue, awaited }) =>
      `Expected queue '${awaited}' to exist, for which queue '${queue}' is to wait, but there is none: define it first`,
  },
  QUEUES_WAIT_IN_CYCLE: {
    status: 409,
    title: 'The queues would wait for each other',
    detail: ({ queue, cycle }) =>
      `Expected queue '${queue}' to wait for others only, but it would for itself: ${[...cycle, queue].join(' -> ')}`,
  },
  QUEUE_AWAITED: {
    status: 409,
    title: 'Another queue waits for the queue',
    detail: ({ queue, by }) =>
      `Expected no queue to wait for queue '${queue}', but the policy of queue '${by}' says it does`,
  },
  PAUSE_IN_THE_PAST: {
    status: 422,
    title: 'The pause would be over already',
    detail: ({ queue, until, now }) =>
      `Expected queue '${queue}' to be paused until a time in the future, but ${until} is in the past: the clock of the service says ${now}`,
  },
  KEY_REQUIRED: {
    status: 422,
    title: 'A key is required',
    detail: ({ queue }) => `Expected a key, as the policy of queue '${queue}' demands, but got none`,
  },
  KIND_NOT_TAKEN: {
    status: 422,
    title: 'The queue takes tasks of other kinds',
    detail: ({ queue, kind, kinds }) =>
      `Expected one of the kinds that the policy of queue '${queue}' names ('${kinds.join("', '")}'), but got '${kind}'`,
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The payload is too large',
    detail: ({ bytes, limit }) => `Expected a payload of up to ${limit} bytes, but it has ${bytes}`,
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'The idempotency key belongs to another request',
    detail: () => 'Expected the request that first carried this Idempotency-Key, but got another',
  },
  TRANSACTION_TOO_LARGE: {
    status: 413,
    title: 'The transaction is too large',
    detail: ({ bytes, limit }) =>
      `Expected the events of a transaction to have up to ${limit} bytes, which the event store takes as one, but they have ${bytes}`,
  },
  EVENT_TOO_LARGE: {
    status: 413,
    title: 'The content is too large',
    detail: ({ bytes, limit }) =>
      `Expected the events of a command to have up to ${limit} bytes, which the event store takes as one, but they have ${bytes}`,
  },
  CONTENTION: {
    status: 503,
    title: 'Too many changes at once',
    detail: () => 'Expected the task and its queue to stand still for a moment, but they changed too often: come again',
  },
  CLAIM_ID_REUSED: {
    status: 422,
    title: 'The claim id belongs to another claim',
    detail: () =>
      'Expected the claim that first carried this claim id, but the queue, the worker or the API key is another',
  },
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

/** The problem that the refusal is, with its data as further members; `index` names the command of a transaction. */
export function problemOfRejection(rejection: Rejection, index: number | null = null): Problem {
  const { code, ...data } = rejection;
  const { status, title, detail } = REJECTIONS[code] as Row<never>;
  return problem(
    { code, status, title, detail: detail(rejection as never) },
    { ...data, ...(index !== null && { index }) },
  );
}
