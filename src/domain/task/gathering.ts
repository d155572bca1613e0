import { accept, reject } from '../kernel/decider.js';
import { type IsoTime, type Json, sameContent } from '../kernel/json.js';
import { utf8Length } from '../kernel/utf8-length.js';
import { newLimits } from './amendment.js';
import { listOf, payloadWith } from './gathered.events.js';
import type { TaskCommandOf } from './task.commands.js';
import type { Gathers, Submission, TaskEvent, TaskEventOf } from './task.events.js';
import type { KnownTask, TaskFacts } from './task.state.js';
import { illegal, type TaskDecision, type TaskRules } from './task.transitions.js';

export const GATHERING_RULES = { GatherSubmission: gather } satisfies Partial<TaskRules>;

/** How many submissions may become one task, the first one among them. Each is an event of its history. */
export const MOST_GATHERED = 1_000;

type Data = TaskEventOf<'TaskSubmissionGathered'>['data'];
type Gather = TaskCommandOf<'GatherSubmission'>;

function gather(command: Gather, state: KnownTask): TaskDecision {
  if (state.status !== 'pending' && state.status !== 'held') return illegal(command, state);
  const { task } = state;
  const { submission } = command;
  const { gathers, queue, searchPaths } = task.submission;
  if (gathers === undefined) return reject({ code: 'NOT_GATHERING', because: 'never' });
  if (task.attempt > 0 || task.lastSettlement !== null) return reject({ code: 'NOT_GATHERING', because: 'begun' });
  if (!isAlike(submission, task.submission)) return reject({ code: 'NOT_GATHERING', because: 'differs' });
  if (isFull(command, task)) return reject({ code: 'NOT_GATHERING', because: 'full' });
  const dueAt = dueOf(submission, gathers);
  const data: Data = {
    queue,
    dueAt,
    payload: payloadOf(submission),
    ...newLimits(command, { ...task, dueAt }),
    ...(submission.auditContext !== undefined && { auditContext: submission.auditContext }),
    ...(searchPaths && { searchPaths }),
  };
  return accept<TaskEvent>({ type: 'TaskSubmissionGathered', version: 1, data });
}

/** Each submission moves it, but not beyond what the first one said. */
const dueOf = ({ dueAt }: Submission, { until }: Gathers): IsoTime | null =>
  dueAt !== undefined && dueAt > until ? until : (dueAt ?? null);

function isFull(
  { submission, mostBytes }: Gather,
  { gathered = 0, payload, submission: { gathers } }: TaskFacts,
): boolean {
  if (gathered + 1 >= MOST_GATHERED) return true;
  return gathers?.all === true && utf8Length(JSON.stringify([...listOf(payload), payloadOf(submission)])) > mostBytes;
}

/** The payload that somebody submitted: a task that gathers all has a list, from its first one on. */
const payloadOf = ({ gathers, payload = null }: Submission): Json => (gathers?.all ? listOf(payload)[0]! : payload);

/** In all that a task says of itself, so that no word of a submission is lost in another one. */
const isAlike = (one: Submission, other: Submission): boolean => sameContent(lasting(one), lasting(other));

const lasting = (submission: Submission): Submission => ({
  ...submission,
  dueAt: undefined,
  expiresAt: undefined,
  ttlMs: undefined,
  deadlineAt: undefined,
  context: undefined,
  auditContext: undefined,
  searchPaths: undefined,
  payload: undefined,
  gathers: { until: '', ...(submission.gathers?.all && { all: true }) },
});

/** The task with a submission more. */
export function gathered(task: TaskFacts, data: Data): TaskFacts {
  const { dueAt, payload, expiresAt = task.expiresAt, deadlineAt } = data;
  return {
    ...task,
    dueAt,
    expiresAt,
    payload: payloadWith(task, payload),
    gathered: (task.gathered ?? 0) + 1,
    ...(deadlineAt !== undefined && { deadlineAt, deadlineMissed: false }),
  };
}
