import type { BatchCounts, BatchEventOf, ReportedChange, ReportedTask } from '../../domain/batch/batch.events.js';
import type { ErrorClass, TaskStatus } from '../../domain/task/task.events.js';
import type { DetailsOfTasks, ReportedFailure } from './reported-tasks.js';

type Reported = BatchEventOf<'BatchReported'>['data'];
type TaskReported = BatchEventOf<'BatchTaskReported'>['data'];

export interface ReportText {
  readonly subject: string;
  readonly text: string;
}

/** Tasks that a mail names of each kind. The report itself, which the API shows, has more. */
export const MOST_NAMED = 100;

/** The tasks that the mail about a report names. */
export const tasksNamed = ({ changes, incomplete }: Reported): readonly ReportedTask[] => [
  ...changes.slice(0, MOST_NAMED),
  ...incomplete.slice(0, MOST_NAMED),
  ...deletedIn(changes).slice(0, MOST_NAMED),
];

const deletedIn = (changes: readonly ReportedChange[]): readonly ReportedChange[] =>
  changes.filter(({ state }) => state === 'deleted');

/** What the mail about a report says. It follows from the events alone, so that it is the same whenever it is made. */
export function reportText(name: string, report: Reported, details: DetailsOfTasks): ReportText {
  const isComplete = report.incomplete.length === 0 && report.counts.succeeded > 0;
  const outcome = isComplete ? 'complete' : 'not complete';
  const isFirst = report.number === 1;
  const nameOf = namesIn(details);
  const parts = [
    `${oneLine(name)} is ${outcome}.`,
    countsIn(report.counts),
    ...(isFirst ? [] : [list('Changed since the last report', report.changes.map(changeLine(nameOf)), report.more)]),
    list(
      'Not complete',
      report.incomplete.map((task) => taskLine(nameOf)(task) + reasonFor(task, details)),
      missing(report),
    ),
    list('Deleted', deletedIn(report.changes).map(nameOf), 0),
  ];
  const subject = `${oneLine(name)}: ${outcome}${isFirst ? '' : ' (update)'}`;
  return { subject, text: `${parts.filter((part) => part !== '').join('\n\n')}\n` };
}

/** The same about one task that was run again. */
export function taskReportText(name: string, task: TaskReported, details: DetailsOfTasks): ReportText {
  const nameOf = namesIn(details);
  const words = `${nameOf(task)} of ${oneLine(name)} was run again: it is ${wordFor(task.state)}${reasonFor(task, details) || '.'}`;
  return { subject: `${oneLine(name)}: ${oneLine(nameOf(task))} is ${wordFor(task.state)}`, text: `${words}\n` };
}

function countsIn({ total, succeeded, failed, aborted, deleted }: BatchCounts): string {
  const open = total - succeeded - failed - aborted - deleted;
  const others = [
    [failed, 'failed'],
    [aborted, 'aborted'],
    [open, 'still at work'],
    [deleted, 'deleted'],
  ] as const;
  const words = others.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return [`${succeeded} of ${total - deleted} complete`, ...words].join(', ') + '.';
}

const missing = ({ counts: { total, succeeded, deleted }, incomplete }: Reported): number =>
  total - succeeded - deleted - incomplete.length;

/** The empty text if there is nothing to list. `more`: how many the report leaves out. */
function list(title: string, lines: readonly string[], more: number): string {
  if (lines.length === 0) return '';
  const named = lines.slice(0, MOST_NAMED).map((line) => `- ${line}`);
  const left = lines.length - named.length + more;
  return [`${title}:`, ...named, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

type NameOf = (task: Pick<ReportedTask, 'task'>) => string;

const namesIn =
  (details: DetailsOfTasks): NameOf =>
  ({ task }) =>
    oneLine(details.get(task)?.name ?? task);

const taskLine =
  (nameOf: NameOf) =>
  (one: ReportedTask): string =>
    `${nameOf(one)}: ${wordFor(one.state)}`;

const changeLine =
  (nameOf: NameOf) =>
  (one: ReportedChange): string =>
    one.from === undefined
      ? taskLine(nameOf)(one)
      : `${nameOf(one)}: ${wordFor(one.from)} before, now ${wordFor(one.state)}`;

/** Why a task has failed: its step, the message of its worker, and what kind of error that is. */
function reasonFor({ task }: ReportedTask, details: DetailsOfTasks): string {
  const failure = details.get(task)?.failure ?? null;
  return failure === null ? '' : reasonOf(failure);
}

const reasonOf = ({ step, error }: ReportedFailure): string =>
  `${step === null ? '' : ` in step ${oneLine(step)}`}: ${oneLine(error.message, MESSAGE_CHARACTERS)} (${error.class}: ${KINDS[error.class]})`;

/** Of an error's message in a mail. The task has all of it. */
const MESSAGE_CHARACTERS = 400;

/** For readers who do not know the classes. */
const KINDS: Readonly<Record<ErrorClass, string>> = {
  business: 'what was submitted must be corrected',
  application: 'the system could not do it',
  transient: 'something was not available for a time',
  bug: 'a fault in the software',
  lost: 'the worker vanished',
  timeout: 'it took too long',
  expired: 'it waited too long',
};

const WORDS: Partial<Record<TaskStatus, string>> = {
  prepared: 'waiting',
  pending: 'waiting',
  held: 'on hold',
  running: 'at work',
  undecided: 'waiting for a decision',
  succeeded: 'complete',
  superseded: 'complete',
};

const wordFor = (status: TaskStatus): string => WORDS[status] ?? status;

/** A line break in a name could be anything else in a header, and would break the list. */
const oneLine = (text: string, characters = 200): string => text.replace(/\s+/g, ' ').slice(0, characters);
