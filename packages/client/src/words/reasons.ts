import type { NotRunningReason, TaskExplanation } from '@waybill/contracts';
import { age, plural } from './numbers.js';
import { openTasks } from './open-tasks.js';
import { workerLabels } from './workers.js';

/** Why a task is not running, or was not, one sentence per line. */
export function explained({ reasons, rank, allowed, asOf }: TaskExplanation): string[] {
  const place = rank === null ? [] : [`It is number ${rank} in line.`];
  const isOver = reasons.some(({ because }) => because === 'ended' || because === 'decision');
  return [
    ...reasons.map((reason) => SENTENCES[reason.because](reason) + (asOf ? '' : remedy(reason))),
    ...reasons.map(notRetried).filter((sentence) => sentence !== ''),
    ...place,
    ...(isOver && !asOf
      ? wayOn(
          allowed,
          reasons.some(({ state, erased }) => state === 'deleted' || erased === true),
        )
      : []),
  ];
}

/** In the order in which people use them. Leaves out what is rarely done to a task that has ended. */
const VERBS: { readonly [Command in Allowed]?: string } = {
  DecideRetry: 'retried by a decision',
  DecideFail: 'failed by a decision',
  RetryTask: 'retried',
  CancelTask: 'cancelled',
  AbortTask: 'aborted',
  DeleteTask: 'deleted',
};

type Allowed = TaskExplanation['allowed'][number];

function wayOn(allowed: readonly Allowed[], isGone: boolean): string[] {
  const verbs = Object.entries(VERBS).flatMap(([command, verb]) =>
    allowed.includes(command as Allowed) ? [verb] : [],
  );
  const goesOn = allowed.includes('RetryTask') || allowed.includes('DecideRetry');
  return [
    ...(verbs.length > 0 ? [`It can be ${listOf(verbs)}.`] : []),
    ...(goesOn ? [] : [`To do its work again, ${isGone ? 'enqueue a new task' : 'run it again as a new task'}.`]),
  ];
}

/** What the reader can do so that the task runs; empty if that depends on more. */
function remedy({ because, unattended, step, needs, kind }: NotRunningReason): string {
  if (because !== 'worker' || !unattended) return '';
  if (kind) return ' Start a worker that knows it.';
  if (needs) return ' Start a worker that does.';
  return step ? ' Start a worker that does.' : ' Start a worker.';
}

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const because = (reason: string | null | undefined): string => (reason ? `: ${reason}` : '');

const LIMITS: Readonly<Record<string, string>> = {
  serial: 'the queue is serial',
  perServer: 'the server runs as many tasks as it may',
  maxRunning: 'the queue runs as many tasks as it may',
};

const ofLabel = (label: string, value: string | null): string => `as many tasks as may run ${withValue(label, value)}`;

const withValue = (label: string, value: string | null): string =>
  value === null ? `without the label '${label}'` : `with '${label}: ${value}'`;

type Blocker = NonNullable<NotRunningReason['blockers']>[number];

/** What the API key does not reach has no id. */
function blocker({ id = 'something elsewhere', state, open = [] }: Blocker): string {
  const waits = state === 'planning' && open.length === 0 ? ['not opened yet: open or abort it'] : open.map(openTasks);
  return `${id} (${[state, ...waits].join('; ')})`;
}

const runs = ({ worker, since, ranMs = 0, until }: NotRunningReason): string =>
  `${worker} has run it for ${age(ranMs)}` +
  (until
    ? `; it may run for ${age(Date.parse(until) - Date.parse(since!))}, until ${until}.`
    : ', and nothing limits how long.');

function retries(
  { until, failures, maxAttempts }: NotRunningReason,
  error: { class: string; message: string },
): string {
  const limit = maxAttempts == null ? '' : ` of ${maxAttempts}`;
  const how =
    maxAttempts === undefined
      ? `It was lost ${failures === 1 ? 'once' : `${failures} times`}, and is due again at ${until}`
      : `Attempt ${failures}${limit} failed, and the next one is due at ${until}`;
  return `${how}: ${error.class}: ${error.message}`;
}

const SENTENCES: Readonly<Record<NotRunningReason['because'], (reason: NotRunningReason) => string>> = {
  state: (reason) => (reason.ranMs === undefined ? `It is ${reason.state}.` : runs(reason)),
  held: ({ by, reason, hold }) =>
    hold ? `Hold ${hold} of ${by} caught it${because(reason)}.` : `${by} is holding it${because(reason)}.`,
  hold: ({ by, reason, hold }) => `Hold ${hold} of ${by} is in force${because(reason)}.`,
  job: ({ taskId, state }) => `It is an item of job ${taskId ?? 'elsewhere'}, which is ${state}.`,
  'cancel-requested': ({ by, reason, at, worker, then }) =>
    `At ${at} ${by} told ${worker} to stop${because(reason)}. ` +
    `The task will be ${then} once ${worker} stops or the lease expires. To end it at once, abort it.`,
  decision: ({ at, error }) =>
    `An attempt failed at ${at}, and the task waits for a decision${error ? `: ${error.class}: ${error.message}` : '.'}`,
  ended: (reason) => ENDS[reason.state ?? '']?.(reason) ?? `It is ${reason.state}.`,
  quarantined: ({ reason, position, until }) =>
    `The service cannot read its history${position ? ` (at position ${position})` : ''}${because(reason)}. ` +
    `It is put aside, and read again ${until ? `at ${until}` : 'when the service starts'}.`,
  prerequisites: ({ count = 0, blockers = [] }) =>
    `It waits for ${blockers.map(blocker).join(', ')}` +
    (count > blockers.length ? ` and ${count - blockers.length} more.` : '.'),
  resource: ({ resource, below, value, measuredAt, never }) =>
    `Its next step needs ${resource} below ${below}, ` +
    (never
      ? 'which a share in percent never is: change the need in the policy of the queue.'
      : value != null
        ? `but it is at ${value}.`
        : measuredAt == null
          ? 'which nobody has ever measured.'
          : `which nobody has measured since ${measuredAt}.`),
  due: (reason) => (reason.error ? retries(reason, reason.error) : `It is due at ${reason.until}.`),
  signal: ({ signal, until }) => `Its handler waits for the signal '${signal}', until ${until} at the latest.`,
  gathers: ({ until, latest, submissions = 1 }) =>
    `It gathers submissions of its key until ${until}${latest === until ? '' : `, and until ${latest} at the latest if more come`}. ` +
    `It has ${plural(submissions, 'submission')}.`,
  'target-failing': ({ target, failures, until, error }) =>
    `The last ${failures} deliveries to ${target} failed, so none is tried before ${until}. The last error: ${error?.message}`,
  key: ({ key, taskId }) => `Its key '${key}' is busy${taskId ? ` with task ${taskId}` : ''}.`,
  'key-failure': ({ key, taskId, state }) => `Task ${taskId} has the same key '${key}', comes first, and is ${state}.`,
  'queue-paused': ({ by, reason, until }) =>
    `${by} paused the queue${until ? ` until ${until}` : ''}${because(reason)}.`,
  draining: ({ by, reason }) => `${by} drains the system${because(reason)}.`,
  'queue-waiting': ({ queues = [] }) => `Its queue waits for ${queues.join(', ')}.`,
  'queue-finished': () => 'Its queue is finished.',
  'queue-failing': ({ failures }) => `After ${failures} failures in a row, its queue is about to pause.`,
  'no-slot': ({ limit = '', label, labelValue, running = [] }) =>
    `No slot is free, because ${limit === 'perLabel' ? ofLabel(label!, labelValue ?? null) : LIMITS[limit]}; running: ${running.map(({ taskId, worker }) => `${taskId} (${worker})`).join(', ')}.`,
  rate: ({ until, label, labelValue }) =>
    `No more tasks may start ${label ? withValue(label, labelValue ?? null) : 'in its queue'} before ${until}.`,
  'lease-over': ({ taskId, worker, since, until }) =>
    `The lease of ${worker}${taskId ? ` for task ${taskId}` : ''} has been over since ${since}` +
    (until ? `. The next worker that claims takes the queue over, and otherwise the service does, by ${until}.` : '.'),
  worker: ({ unattended, lastPolledAt, step, needs, kind, turnsBefore }) => {
    if (!unattended) return `It is ready to run, and ${turns(turnsBefore)}.`;
    if (kind) return `Every worker of its queue has given tasks of kind '${kind}' back as unknown.`;
    if (needs)
      return `It is ready to run, but no worker that offers ${workerLabels(needs)} has asked in the last minute.`;
    const lastly = lastPolledAt ? ` (the last claim was at ${lastPolledAt})` : '';
    if (!step) return `It is ready to run, but no worker claims from its queue${lastly}.`;
    return `It is ready to run, but no worker claims tasks at step '${step}' from its queue${lastly}.`;
  },
};

function turns(before: number | undefined): string {
  if (before === undefined) return 'waits for its turn';
  if (before === 0) return 'has the next turn';
  return before === 1 ? 'one turn comes before its own' : `${before} turns come before its own`;
}

/** Why it is not tried again by itself; empty if no rule of the policy says so. */
const notRetried = ({ rule, failures = 0, maxAttempts, classes = [] }: NotRunningReason): string => {
  switch (rule) {
    case 'on-failure':
      return 'Its policy retries no failure.';
    case 'classes':
      return `Its policy retries only failures of the class ${listOf(classes)}.`;
    case 'max-attempts':
      return `${failures} of ${maxAttempts} attempts have failed, and its policy allows no more.`;
    case 'max-lost':
      return `It was lost ${failures === 1 ? 'once' : `${failures} times`}, and its policy allows no more.`;
    default:
      return '';
  }
};

/** If a failure or a success has a reason, somebody overruled the worker. */
const ENDS: Readonly<Record<string, (reason: NotRunningReason) => string>> = {
  failed: ({ at, by, reason, error, final, taskId }) =>
    reason
      ? `At ${at} ${by} overruled its worker, and it failed${because(reason)}.`
      : `It failed${final ? ' for good' : ''} at ${at}, recorded by ${by}${taskId ? `, because task ${taskId} with the same key is already waiting` : ''}` +
        (error ? `: ${error.class}: ${error.message}` : '.'),
  succeeded: ({ at, by, reason }) =>
    reason
      ? `At ${at} ${by} overruled its worker, and it succeeded${because(reason)}.`
      : `It succeeded at ${at}, by ${by}.`,
  cancelled: ({ at, by, reason }) => `At ${at} ${by} cancelled it${because(reason)}.`,
  aborted: ({ at, by, reason }) => `At ${at} ${by} aborted it${because(reason)}.`,
  superseded: ({ at, taskId }) => `It had failed, and at ${at} the success of task ${taskId} superseded it.`,
  deleted: ({ at, by, reason }) => `At ${at} ${by} deleted it${because(reason)}.`,
};
