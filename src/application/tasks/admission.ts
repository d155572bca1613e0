import type { TaskCommandType } from '../../domain/task/task.commands.js';
import { changedData } from '../../domain/kernel/changed-data.js';
import { dataExcess } from '../../domain/task/data.js';
import { changedPrerequisites } from '../../domain/task/prerequisites.js';
import { endOfLife } from '../../domain/task/waiting-limits.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import { notOffered } from './offers.js';
import type { HoldRef, Submission } from '../../domain/task/task.events.js';
import type { QueueFacts, QueueState } from '../../domain/queue/queue.state.js';
import type { IsoTime } from '../../domain/kernel/json.js';
import { listsPayloads, type QueuePolicy, stepNames, stepsFor } from '../../domain/queue/queue.policy.js';
import { outsidePayloadIn } from '../../domain/task/outside-payload.js';
import { priorityByRules } from '../../domain/queue/priority-rules.js';
import { isReserved, reservedLabel } from '../../domain/queue/reserved.policy.js';
import type { CommandContext } from '../kernel/command-context.js';
import { nextOccurrence } from '../kernel/cron.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { EnqueueItem } from './enqueue-item.js';
import { canonicalSha256 } from '../kernel/canonical-json.js';
import { aloneBecause, gatheringOf } from './gathered-submission.js';
import { excessOf } from './json-size.js';
import { payloadFault } from './payload-schema.js';

/** A task that its queue accepts, in the form to store. */
export interface Admission {
  readonly queue: QueueFacts;
  readonly submission: Submission;
}

/** Returns why the queue refuses the task; otherwise the task in the form to store. */
export function admission(
  item: EnqueueItem,
  state: QueueState,
  now: IsoTime,
  { isService }: Pick<CommandContext, 'isService'>,
): Admission | QueueRejection | TaskRejection {
  if (!isService && isReserved(item.queue)) return { code: 'QUEUE_RESERVED', queue: item.queue };
  const label = isService ? undefined : reservedLabelOf(item);
  if (label !== undefined) return { code: 'LABEL_RESERVED', label };
  if (state.status === 'unknown' || state.status === 'deleted') return { code: 'QUEUE_NOT_FOUND', queue: item.queue };
  if (state.status === 'finished') return { code: 'QUEUE_FINISHED', queue: item.queue };
  const { intake, policy } = state.queue;
  if (!intake.open) return { code: 'INTAKE_CLOSED', queue: item.queue, by: intake.by, reason: intake.reason };
  if (policy.priority.from === 'rules' && item.priority !== undefined && item.rerunOf === undefined)
    return { code: 'PRIORITY_NOT_TAKEN', queue: item.queue };
  if (policy.needs === null && item.needs !== undefined && item.rerunOf === undefined)
    return { code: 'NEEDS_NOT_TAKEN', queue: item.queue };
  if (policy.keyRequired && item.key === undefined) return { code: 'KEY_REQUIRED', queue: item.queue };
  const refusal =
    notOffered(commandOf(item), policy, BEFORE) ??
    notAPayload(item) ??
    tooLarge(item, policy) ??
    kindNotTaken(item, policy) ??
    stepUnknown(item, policy) ??
    notOfDigest(item) ??
    notOfSchema(item, state.queue) ??
    tooMuchData(item) ??
    notGathered(item, policy);
  if (refusal) return refusal;
  const due = dueTime(item, policy, now);
  return 'code' in due ? due : { queue: state.queue, submission: submissionOf(item, policy, due, now) };
}

const kindOf = ({ kind }: EnqueueItem, { kinds }: QueuePolicy): string => kind ?? kinds[0] ?? 'task';

function kindNotTaken(item: EnqueueItem, policy: QueuePolicy): QueueRejection | null {
  const [kind, { kinds }] = [kindOf(item, policy), policy];
  return kinds.length === 0 || kinds.includes(kind)
    ? null
    : { code: 'KIND_NOT_ACCEPTED', queue: item.queue, kind, kinds };
}

/** Of a submission that its own sender rejects, and of a copy, no payload is checked: the first fails anyway, the other was taken before. */
const notOfSchema = (item: EnqueueItem, queue: QueueFacts): QueueRejection | null =>
  item.rejected || item.rerunOf !== undefined
    ? null
    : payloadFault({ ...item, kind: kindOf(item, queue.policy) }, queue);

function notOfDigest({ payload = null, payloadSha256: given }: EnqueueItem): QueueRejection | null {
  if (given === undefined) return null;
  const actual = canonicalSha256(payload);
  return given === actual ? null : { code: 'PAYLOAD_DIGEST_MISMATCH', given, actual };
}

/** Whoever says how a submission is gathered must not be surprised by two tasks. */
function notGathered(item: EnqueueItem, policy: QueuePolicy): QueueRejection | null {
  const because = item.gather === undefined ? null : aloneBecause(item, policy);
  return because && { code: 'NOT_GATHERED', queue: item.queue, because };
}

/** A copy has the labels of its original, which may be older than the rule. */
const reservedLabelOf = ({ labels, rerunOf }: EnqueueItem): string | undefined =>
  rerunOf === undefined ? reservedLabel(labels) : undefined;

const tooMuchData = ({ data }: EnqueueItem): TaskRejection | null =>
  data === undefined ? null : dataExcess(changedData({}, data));

/** A copy has the steps of its original, whatever the policy says now. */
function stepUnknown({ steps = [], rerunOf }: EnqueueItem, policy: QueuePolicy): TaskRejection | null {
  if (steps.length === 0 || rerunOf !== undefined) return null;
  const known = stepNames(policy);
  const step = steps.find((name) => !known.includes(name));
  return step === undefined ? null : { code: 'STEP_UNKNOWN', step, steps: known };
}

const BEFORE = { status: 'unknown' } as const;

function commandOf({ prepared, hold }: EnqueueItem): TaskCommandType {
  if (prepared) return 'PrepareTask';
  return hold ? 'HoldTask' : 'EnqueueTask';
}

/** What the log has in place of a payload may not come from outside, because readers would take it for one of the store. */
export function notAPayload({ payload }: Pick<EnqueueItem, 'payload'>): QueueRejection | null {
  const outside = outsidePayloadIn(payload);
  return outside && { code: 'PAYLOAD_MISSING', sha256: outside.sha256 };
}

export function tooLarge({ payload }: Pick<EnqueueItem, 'payload'>, { limits }: QueuePolicy): QueueRejection | null {
  const excess = excessOf(payload, limits.payloadBytes);
  return excess && { code: 'PAYLOAD_TOO_LARGE', ...excess };
}

/**
 * The task in the form to store. Absent fields stay absent, because every byte is kept forever. The fields are assigned
 * one by one: spreading optional fields takes three times as long.
 */
function submissionOf(item: EnqueueItem, policy: QueuePolicy, due: DueTime, now: IsoTime): Submission {
  const submission: Open<Submission> = { queue: item.queue, kind: kindOf(item, policy) };
  const priority = priorityOf(item, policy);
  if (item.key !== undefined) submission.key = item.key;
  if (item.reference !== undefined) submission.reference = item.reference;
  if (priority !== 0) submission.priority = priority;
  if (due.dueAt !== undefined) submission.dueAt = due.dueAt;
  if (due.byDueTimes !== undefined) submission.byDueTimes = due.byDueTimes;
  const { expiresAt, ttlMs } = timeToLive(item, policy, due, now);
  if (expiresAt !== undefined) submission.expiresAt = expiresAt;
  if (ttlMs !== undefined) submission.ttlMs = ttlMs;
  if (item.deadlineAt !== undefined) submission.deadlineAt = item.deadlineAt;
  if (item.labels !== undefined) submission.labels = item.labels;
  if (item.description !== undefined) submission.description = item.description;
  if (item.needs !== undefined) submission.needs = item.needs;
  if (item.context !== undefined) submission.context = item.context;
  if (item.auditContext !== undefined) submission.auditContext = item.auditContext;
  if (item.data !== undefined) submission.data = changedData({}, item.data);
  const steps = stepsOf(item, policy);
  if (steps.length > 0) submission.steps = steps;
  if (item.batch !== undefined) submission.batch = item.batch;
  if (item.plans !== undefined) submission.plans = item.plans;
  if (item.after !== undefined && item.after.length > 0) submission.after = changedPrerequisites([], item.after, []);
  if (item.items !== undefined) submission.items = item.items;
  if (item.rerunOf !== undefined) submission.rerunOf = item.rerunOf;
  if (policy.search.length > 0) submission.searchPaths = policy.search;
  if (due.gathers !== undefined) submission.gathers = due.gathers;
  const payload = listsPayloads(policy) && item.rerunOf === undefined ? [item.payload ?? null] : item.payload;
  if (payload !== undefined) submission.payload = payload;
  return submission;
}

const stepsOf = ({ steps, rerunOf }: EnqueueItem, policy: QueuePolicy): readonly string[] =>
  steps && rerunOf !== undefined ? steps : stepsFor(policy, steps);

/** A copy has the priority that its original came to. */
const priorityOf = (item: EnqueueItem, policy: QueuePolicy): number =>
  policy.priority.from === 'rules' && item.rerunOf === undefined
    ? priorityByRules(item, policy.priority.rules, policy)
    : (item.priority ?? policy.defaultPriority);

type Open<T> = { -readonly [K in keyof T]: T[K] };

type DueTime = Pick<Submission, 'dueAt' | 'byDueTimes' | 'gathers'>;

const AT_ONCE: DueTime = {};

function dueTime(item: EnqueueItem, policy: QueuePolicy, now: IsoTime): DueTime | QueueRejection {
  const { dueAt } = item;
  const { dueTimes } = policy;
  if (policy.duplicatePending === 'gather' && aloneBecause(item, policy) === null)
    return gatheringOf(item, policy, now);
  if (dueAt !== undefined) return { dueAt };
  if (dueTimes === null) return AT_ONCE;
  const next = nextOccurrence(dueTimes, now);
  return 'at' in next ? { dueAt: next.at, byDueTimes: true } : next;
}

type TimeToLive = Pick<Submission, 'expiresAt' | 'ttlMs'>;

const FOR_EVER: TimeToLive = {};

/** A copy of a failed task takes none from the policy: somebody made it because it is wanted now. */
function timeToLive(item: EnqueueItem, policy: QueuePolicy, { dueAt }: DueTime, now: IsoTime): TimeToLive {
  if (item.expiresAt !== undefined) return { expiresAt: item.expiresAt };
  const ttlMs = item.ttlMs ?? (item.rerunOf === undefined ? policy.ttlMs : null);
  if (ttlMs === null) return FOR_EVER;
  return { expiresAt: endOfLife(ttlMs, dueAt ?? null, now), ttlMs };
}

export const holdRef = ({ hold }: EnqueueItem, by: string): HoldRef | null =>
  hold ? { by: hold.by ?? by, ...(hold.reason !== undefined && { reason: hold.reason }) } : null;
