import type { Receipt, TaskExplanation, TaskHandle } from '@waybill/client';
import { service } from '../service.js';
import { Actions } from './action.js';

interface Step {
  readonly name: string;
  readonly about: string;
  /** The command that the service must allow for the action to be offered. */
  readonly command: TaskExplanation['allowed'][number];
  readonly run: (task: TaskHandle, reason: string | undefined) => Promise<Receipt>;
}

export const STEPS: readonly Step[] = [
  {
    name: 'Retry',
    about: 'The task waits for a worker again.',
    command: 'RetryTask',
    run: (task, reason) => task.retry({ reason }),
  },
  {
    name: 'Decide: retry',
    about: 'The task is undecided. This decision retries it.',
    command: 'DecideRetry',
    run: (task, reason) => task.decide('retry', { reason }),
  },
  {
    name: 'Decide: fail',
    about: 'The task is undecided. This decision fails it for good.',
    command: 'DecideFail',
    run: (task, reason) => task.decide('fail', { reason }),
  },
  {
    name: 'Hold',
    about: 'The task does not run until somebody releases it. If it is running, its worker is told to stop first.',
    command: 'HoldTask',
    run: (task, reason) => task.hold({ reason }),
  },
  {
    name: 'Release',
    about: 'The task waits for a worker again.',
    command: 'ReleaseTask',
    run: (task, reason) => task.release({ reason }),
  },
  {
    name: 'Cancel',
    about: 'The task ends and can be retried later. If it is running, its worker is told to stop.',
    command: 'CancelTask',
    run: (task, reason) => task.cancel({ reason }),
  },
  {
    name: 'Abort',
    about: 'The task ends at once and can never be retried.',
    command: 'AbortTask',
    run: (task, reason) => task.abort({ reason }),
  },
  {
    name: 'Delete',
    about: 'The task leaves every list. Its history stays.',
    command: 'DeleteTask',
    run: (task, reason) => task.delete({ reason }),
  },
];

/** The service deletes a running task only by force: here, a person aborts it first. */
const stepsOn = ({ state, allowed }: Pick<TaskExplanation, 'state' | 'allowed'>): readonly Step[] =>
  STEPS.filter(({ command }) => allowed.includes(command) && !(command === 'DeleteTask' && state === 'running'));

interface TaskActionsProps {
  readonly id: string;
  readonly why: Pick<TaskExplanation, 'state' | 'allowed'>;
  readonly onDone: () => void;
}

export function TaskActions({ id, why, onDone }: TaskActionsProps) {
  const actions = stepsOn(why).map((step) => ({
    ...step,
    run: (reason: string | undefined) => step.run(service().task(id), reason),
  }));
  return <Actions of={`task ${id}`} actions={actions} onDone={onDone} />;
}
