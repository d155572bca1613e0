import { fold } from '../../../src/domain/kernel/decider.js';
import type { TaskCommand, TaskCommandType } from '../../../src/domain/task/task.commands.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskState } from '../../../src/domain/task/task.state.js';
import table from '../state-table.json' with { type: 'json' };

export type Status = TaskState['status'];

/** The outcome of a command: nothing recorded, refused, or the resulting status. */
export type Outcome = Status | 'alreadyDone' | 'rejected';

export const STATUSES = Object.values(table.states) as Status[];
const CODES = Object.keys(table.states);

/** The commands of each row of the table, by the beginning of the row's name. */
const COMMANDS: Readonly<Record<string, readonly TaskCommandType[]>> = {
  Prepare: ['PrepareTask'],
  Enqueue: ['EnqueueTask'],
  EnqueueRejected: ['RejectEnqueue'],
  Gather: ['GatherSubmission'],
  Submit: ['SubmitTask'],
  Hold: ['HoldTask'],
  Catch: ['CatchTask'],
  Release: ['ReleaseTask'],
  Claim: ['ClaimTask'],
  Start: ['StartTask'],
  CompleteStep: ['CompleteStep'],
  ReportError: ['ReportError'],
  RecordData: ['RecordData'],
  Succeed: ['SucceedTask'],
  Fail: ['FailTask'],
  Return: ['ReturnTask'],
  Wait: ['WaitTask'],
  Signal: ['SignalTask'],
  TimeOutRun: ['TimeOutRun'],
  ExpireTask: ['ExpireTask'],
  MissDeadline: ['MissDeadline'],
  ExpireLease: ['ExpireLease'],
  ConfirmCancel: ['ConfirmCancel'],
  CancelRun: ['CancelRun'],
  'Decide retry': ['DecideRetry'],
  'Decide fail': ['DecideFail'],
  Retry: ['RetryTask'],
  Cancel: ['CancelTask'],
  StopRun: ['StopRun'],
  Abort: ['AbortTask'],
  'Reprioritise, Reschedule': ['ReprioritiseTask', 'RescheduleTask'],
  AmendPayload: ['AmendPayload'],
  AmendData: ['AmendData'],
  ChangePrerequisites: ['ChangePrerequisites'],
  Supersede: ['SupersedeTask'],
  Delete: ['DeleteTask'],
  Restore: ['RestoreTask'],
  Erase: ['EraseTask'],
  'Overrule succeed / fail / requeue': ['OverruleTask'],
};

export interface Cell {
  readonly row: string;
  readonly command: TaskCommandType;
  readonly status: Status;
  readonly text: string;
  readonly outcomes: ReadonlySet<Outcome>;
}

/** Every command in every status, according to the table. */
export const CELLS: readonly Cell[] = table.rows.flatMap(({ command: row, cells }) => {
  const texts = cells.split(' | ');
  return commandsOf(row).flatMap((command) =>
    STATUSES.map((status, at) => ({ row, command, status, text: texts[at]!, outcomes: outcomesOf(texts[at]!) })),
  );
});

const BY_NAME = new Map(CELLS.map((cell) => [`${cell.command} ${cell.status}`, cell]));

export const cellOf = (command: TaskCommandType, status: Status): Cell => BY_NAME.get(`${command} ${status}`)!;

function commandsOf(row: string): readonly TaskCommandType[] {
  const commands = COMMANDS[row.replace(/ \(.*\)$/, '')];
  if (!commands) throw new Error(`Expected row '${row}' to name commands, but it is not known`);
  return commands;
}

/** `PEN or HLD2, x8` means pending, held or rejected. The digits refer to footnotes. */
function outcomesOf(text: string): ReadonlySet<Outcome> {
  return new Set(text.split(/ or | \/ |, /).map((word) => outcomeNamed(word.replace(/\d+$/, ''))));
}

function outcomeNamed(word: string): Outcome {
  if (word === '=') return 'alreadyDone';
  if (word === 'x') return 'rejected';
  const status = STATUSES[CODES.indexOf(word)];
  if (!status) throw new Error(`Expected '${word}' to be a state of the table, but it is not`);
  return status;
}

export function outcomeOn(command: TaskCommand, state: TaskState): Outcome {
  const decision = taskDecider.decide(command, state);
  return decision.kind === 'accepted' ? fold(taskDecider, decision.events, state).status : decision.kind;
}
