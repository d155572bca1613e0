import type { Receipt, TaskHandle } from '@waybill/client';
import { service } from '../service.js';
import { Actions } from './action.js';

interface Step {
  readonly name: string;
  readonly about: string;
  /** Offered where the service allows it. */
  readonly command: string;
  readonly run: (task: TaskHandle, reason: string | undefined) => Promise<Receipt>;
}

export const STEPS: readonly Step[] = [
  {
    name: 'Retry',
    about: 'It goes back to work.',
    command: 'RetryTask',
    run: (task, reason) => task.retry({ reason }),
  },
  {
    name: 'Decide: retry',
    about: 'It erred, and waits for a decision: this one puts it back to work.',
    command: 'DecideRetry',
    run: (task, reason) => task.decide('retry', { reason }),
  },
  {
    name: 'Decide: fail',
    about: 'It erred, and waits for a decision: with this one it has failed for good.',
    command: 'DecideFail',
    run: (task, reason) => task.decide('fail', { reason }),
  },
  {
    name: 'Hold',
    about: 'It is kept back until somebody releases it. A running one is asked to stop first.',
    command: 'HoldTask',
    run: (task, reason) => task.hold({ reason }),
  },
  {
    name: 'Release',
    about: 'It waits for a worker again.',
    command: 'ReleaseTask',
    run: (task, reason) => task.release({ reason }),
  },
  {
    name: 'Cancel',
    about: 'It stops, and can be retried. A running one is asked to stop.',
    command: 'CancelTask',
    run: (task, reason) => task.cancel({ reason }),
  },
  {
    name: 'Abort',
    about: 'It stops at once and for good: it can never be retried.',
    command: 'AbortTask',
    run: (task, reason) => task.abort({ reason }),
  },
];

interface TaskActionsProps {
  readonly id: string;
  readonly allowed: readonly string[];
  readonly onDone: () => void;
}

export function TaskActions({ id, allowed, onDone }: TaskActionsProps) {
  const offered = STEPS.filter(({ command }) => allowed.includes(command));
  const actions = offered.map((step) => ({
    ...step,
    run: (reason: string | undefined) => step.run(service().task(id), reason),
  }));
  return <Actions of={`task ${id}`} actions={actions} onDone={onDone} />;
}
