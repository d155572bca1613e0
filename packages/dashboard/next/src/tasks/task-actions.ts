import type { Receipt, TaskExplanation, TaskHandle } from '@waybill/client';
import type { Action } from '../app/action.js';

interface Step extends Pick<Action, 'name' | 'kind' | 'about'> {
  /** The command that the service must allow for the action to be offered. */
  readonly command: TaskExplanation['allowed'][number];
  readonly verb: string;
  readonly run: (task: TaskHandle, reason: string | undefined) => Promise<Receipt>;
}

const STEPS: readonly Step[] = [
  {
    name: 'Retry',
    kind: 'primary',
    about: 'The task waits for a worker again.',
    command: 'RetryTask',
    verb: 'retry',
    run: (task, reason) => task.retry({ reason }),
  },
  {
    name: 'Decide: retry',
    kind: 'primary',
    about: 'The task is undecided. This decision retries it.',
    command: 'DecideRetry',
    verb: 'decide --retry',
    run: (task, reason) => task.decide('retry', { reason }),
  },
  {
    name: 'Decide: fail',
    about: 'The task is undecided. This decision fails it for good.',
    command: 'DecideFail',
    verb: 'decide --fail',
    run: (task, reason) => task.decide('fail', { reason }),
  },
  {
    name: 'Hold',
    about: 'The task does not run until somebody releases it. If it is running, its worker is told to stop first.',
    command: 'HoldTask',
    verb: 'hold',
    run: (task, reason) => task.hold({ reason }),
  },
  {
    name: 'Release',
    kind: 'primary',
    about: 'The task waits for a worker again.',
    command: 'ReleaseTask',
    verb: 'release',
    run: (task, reason) => task.release({ reason }),
  },
  {
    name: 'Cancel',
    about: 'The task ends and can be retried later. If it is running, its worker is told to stop.',
    command: 'CancelTask',
    verb: 'cancel',
    run: (task, reason) => task.cancel({ reason }),
  },
  {
    name: 'Abort',
    kind: 'danger',
    about: 'The task ends at once and can never be retried.',
    command: 'AbortTask',
    verb: 'abort',
    run: (task, reason) => task.abort({ reason }),
  },
  {
    name: 'Delete',
    kind: 'danger',
    about: 'The task leaves every list. Its history stays.',
    command: 'DeleteTask',
    verb: 'delete',
    run: (task, reason) => task.delete({ reason }),
  },
];

/** What the service allows for the task. It deletes a running task only by force: here, a person aborts it first. */
export const commandsOn = (id: string, { state, allowed }: Pick<TaskExplanation, 'state' | 'allowed'>): Action[] =>
  STEPS.filter(({ command }) => allowed.includes(command) && !(command === 'DeleteTask' && state === 'running')).map(
    ({ verb, run, ...step }) => ({
      ...step,
      cli: `waybill task ${verb} ${id}`,
      run: (waybill, reason) => run(waybill.task(id), reason),
    }),
  );
