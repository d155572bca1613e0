import type { Rejection } from '../../application/kernel/application-error.js';

type CommandType = Extract<Rejection, { readonly command: string }>['command'];

/** What callers type for each command, in paths, in settlements and on the command line. Null: only the service gives it. */
const VERBS: Readonly<Record<CommandType, string | null>> = {
  PrepareTask: 'prepare',
  EnqueueTask: 'enqueue',
  RejectEnqueue: null,
  SubmitTask: 'submit',
  ClaimTask: 'claim',
  StartTask: 'start',
  CompleteStep: 'completeStep',
  ReportError: 'reportError',
  RecordData: 'record',
  SucceedTask: 'succeed',
  FailTask: 'fail',
  ReturnTask: 'return',
  ExpireLease: null,
  ConfirmCancel: 'confirmCancel',
  CancelRun: 'cancel',
  HoldTask: 'hold',
  CatchTask: null,
  ReleaseTask: 'release',
  DecideRetry: 'decide retry',
  DecideFail: 'decide fail',
  RetryTask: 'retry',
  SupersedeTask: null,
  ReprioritiseTask: 'prioritise',
  RescheduleTask: 'reschedule',
  AmendPayload: 'amend',
  AmendData: 'annotate',
  CancelTask: 'cancel',
  ChangePrerequisites: 'arrange',
  StopRun: null,
  AbortTask: 'abort',
  DeleteTask: 'delete',
  OverruleTask: 'overrule',
  DefineQueue: 'define',
  ChangePolicy: 'change',
  PauseQueue: 'pause',
  PauseAfterFailures: null,
  ResumeQueue: 'resume',
  EndPause: null,
  EndWait: null,
  CloseIntake: 'close-intake',
  OpenIntake: 'open-intake',
  FinishQueue: 'finish',
  FinishDrained: null,
  ReopenQueue: 'reopen',
  DeleteQueue: 'delete',
  CreateBatch: 'create',
  OpenBatch: 'open',
  FailPlan: null,
  EndBatch: null,
  ReportTasks: null,
  RequestReport: 'report',
  ReleaseBatch: 'release',
  RerunBatch: 'rerun',
  AbortBatch: 'abort',
  DeleteBatch: 'delete',
};

export const verbOf = (command: CommandType): string => VERBS[command] ?? command;

/** Leaves out what no caller can give. */
export const verbsOf = (commands: readonly CommandType[]): readonly string[] =>
  commands.flatMap((command) => VERBS[command] ?? []);
