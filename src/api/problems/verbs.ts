import type { Rejection } from '../../application/kernel/application-error.js';

type CommandType = Extract<Rejection, { readonly command: string }>['command'];

/** Where callers type another verb than that of the command's name. Null: only the service gives the command. */
const OTHERS: { readonly [C in CommandType]?: string | null } = {
  RecordData: 'record',
  CancelRun: 'cancel',
  TimeOutRun: null,
  ExpireTask: null,
  MissDeadline: null,
  DecideRetry: 'decide retry',
  DecideFail: 'decide fail',
  ReprioritiseTask: 'prioritise',
  AmendPayload: 'amend',
  AmendData: 'annotate',
  ChangePrerequisites: 'arrange',
  ChangePolicy: 'change',
  SetLimit: 'set-limit',
  UnsetLimit: 'unset-limit',
  CloseIntake: 'close-intake',
  OpenIntake: 'open-intake',
  RequestReport: 'report',
  RejectEnqueue: null,
  ExpireLease: null,
  CatchTask: null,
  SupersedeTask: null,
  StopRun: null,
  RestoreTask: null,
  EraseTask: null,
  GatherSubmission: null,
  PauseAfterFailures: null,
  EndPause: null,
  EndWait: null,
  FinishDrained: null,
  FailPlan: null,
  EndBatch: null,
  EraseBatch: null,
  ReportTasks: null,
};

/** What callers type for a command in paths, in settlements and on the command line. */
export const verbOf = (command: CommandType): string => OTHERS[command] ?? nameOf(command);

/** The verbs of these commands, each once. Leaves out commands that only the service gives. */
export const verbsOf = (commands: readonly CommandType[]): readonly string[] => [
  ...new Set(commands.filter((command) => OTHERS[command] !== null).map(verbOf)),
];

function nameOf(command: CommandType): string {
  const verb = command.replace(/(Task|Queue|Batch)$/, '');
  return verb.charAt(0).toLowerCase() + verb.slice(1);
}
