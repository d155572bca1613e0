import type { TaskProof } from '@waybill/contracts';
import { BatchHandle } from './batch-handle.js';
import type { Caller, CallOptions } from './caller.js';
import { Failures } from './failures.js';
import { TaskHandle } from './task-handle.js';
import { TaskList } from './task-list.js';
import type { Evidence } from './words/evidence.js';

/** What evidence is about: a task, the tasks of a batch, or those that failed with the same cause. */
export type EvidenceSubject = { readonly task: string } | { readonly batch: string } | { readonly group: string };

export interface EvidenceOptions extends CallOptions {
  /** With the private halves of events; needed if they are in EventStoreDB. */
  readonly private?: boolean;
  /** The most tasks of a batch or a group, from 1 to 500; 50 if absent. */
  readonly tasks?: number;
}

const MOST_TASKS = 500;
/** Of all proofs of a page, in characters. What would exceed it is left out, and counted. */
const MOST_CHARS = 32 * 1024 * 1024;

/** One after the other: each proof may wait for a seal, but only the first one does as a rule. */
export async function evidenceOf(
  caller: Caller,
  subject: EvidenceSubject,
  { private: isPrivate, tasks = 50, ...options }: EvidenceOptions,
): Promise<Evidence> {
  if (!Number.isInteger(tasks) || tasks < 1 || tasks > MOST_TASKS)
    throw new TypeError(`Expected tasks to be a whole number from 1 to ${MOST_TASKS}, but it is ${tasks}`);
  const { about, said, own, count, ids } = await subjectOf(caller, subject, tasks, options);
  const proofs: TaskProof[] = [];
  let chars = 0;
  for await (const id of ids) {
    const proof = await new TaskHandle(caller, id).proof({ ...options, ...(isPrivate && { private: true }) });
    chars += JSON.stringify(proof).length;
    if (proofs.length > 0 && chars > MOST_CHARS) break;
    proofs.push(proof);
  }
  const madeAt = new Date().toISOString();
  const all = isPrivate ? { ...said, ...own } : said;
  return { format: 'waybill-evidence', version: 2, about, madeAt, said: rows(all), tasks: count, proofs };
}

type Said = Readonly<Record<string, string | number | null | undefined>>;

interface Subject extends Pick<Evidence, 'about'> {
  readonly said: Said;
  /** What is in private halves. */
  readonly own: Said;
  /** How many tasks it has. */
  readonly count: number;
  readonly ids: AsyncIterable<string> | Iterable<string>;
}

async function subjectOf(
  caller: Caller,
  subject: EvidenceSubject,
  most: number,
  options: CallOptions,
): Promise<Subject> {
  if ('task' in subject) return { ...(await ofTask(caller, subject.task, options)), ids: [subject.task] };
  if ('batch' in subject)
    return { ...(await ofBatch(caller, subject.batch, options)), ids: firstIds(caller, subject, most, options) };
  return { ...(await ofGroup(caller, subject.group, options)), ids: firstIds(caller, subject, most, options) };
}

async function* firstIds(
  caller: Caller,
  filter: { readonly batch: string } | { readonly group: string },
  most: number,
  options: CallOptions,
): AsyncGenerator<string> {
  let left = most;
  for await (const { id } of new TaskList(caller).list(filter, { ...options, limit: most })) {
    yield id;
    if (--left === 0) return;
  }
}

type Described = Omit<Subject, 'ids'>;

async function ofTask(caller: Caller, id: string, options: CallOptions): Promise<Described> {
  const { queue, kind, stateName, description } = await new TaskHandle(caller, id).get(options);
  const said = { State: stateName, Queue: queue, Kind: kind };
  return { about: { kind: 'task', id }, said, own: { Description: description }, count: 1 };
}

async function ofBatch(caller: Caller, id: string, options: CallOptions): Promise<Described> {
  const { name, stateName, total, succeeded, failed, description } = await new BatchHandle(caller, id).get(options);
  const said = { State: stateName, Tasks: total, Succeeded: succeeded, Failed: failed };
  return { about: { kind: 'batch', id }, said, own: { Name: name, Description: description }, count: total };
}

async function ofGroup(caller: Caller, id: string, options: CallOptions): Promise<Described> {
  const group = await new Failures(caller).get(id, options);
  const { message, state, failedTasks, failedAttempts, firstSeenAt, lastSeenAt, queues } = group;
  const counts = { 'Failed tasks': failedTasks, 'Failed attempts': failedAttempts };
  const times = { First: firstSeenAt, Last: lastSeenAt };
  const said = { Class: group.class, State: state, Queues: queues.join(', '), ...counts, ...times };
  return { about: { kind: 'group', id }, said, own: { 'Newest message': message }, count: failedTasks };
}

const rows = (values: Said): Evidence['said'] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)] as const],
  );
