import type { Receipt, TaskDetails, TaskHandle } from '@waybill/client';
import { service } from '../service.js';
import { Actions } from './action.js';

interface Step {
  readonly name: string;
  readonly about: string;
  /** The states in which it makes sense; the service has the last word. */
  readonly in: readonly string[];
  readonly asksWhy?: boolean;
  readonly run: (task: TaskHandle, reason: string | undefined) => Promise<Receipt>;
}

const STEPS: readonly Step[] = [
  {
    name: 'Retry',
    about: 'It goes back to work.',
    in: ['failed', 'cancelled'],
    run: (task) => task.retry(),
  },
  {
    name: 'Decide: retry',
    about: 'It erred, and waits for a decision: this one puts it back to work.',
    in: ['errored'],
    asksWhy: true,
    run: (task, reason) => task.decide('retry', { reason }),
  },
  {
    name: 'Decide: fail',
    about: 'It erred, and waits for a decision: with this one it has failed for good.',
    in: ['errored'],
    asksWhy: true,
    run: (task, reason) => task.decide('fail', { reason }),
  },
  {
    name: 'Hold',
    about: 'It is kept back until somebody releases it. A running one is asked to stop first.',
    in: ['pending', 'running'],
    asksWhy: true,
    run: (task, reason) => task.hold({ reason }),
  },
  { name: 'Release', about: 'It waits for a worker again.', in: ['held'], run: (task) => task.release() },
  {
    name: 'Cancel',
    about: 'It stops, and can be retried. A running one is asked to stop.',
    in: ['prepared', 'pending', 'held', 'running', 'errored'],
    asksWhy: true,
    run: (task, reason) => task.cancel({ reason }),
  },
  {
    name: 'Abort',
    about: 'It stops at once and for good: it can never be retried.',
    in: ['prepared', 'pending', 'held', 'running', 'errored', 'failed', 'cancelled'],
    asksWhy: true,
    run: (task, reason) => task.abort({ reason }),
  },
];

export function TaskActions({ task: { id, state }, onDone }: { task: TaskDetails; onDone: () => void }) {
  const offered = STEPS.filter((step) => step.in.includes(state));
  const actions = offered.map((step) => ({
    ...step,
    run: (reason: string | undefined) => step.run(service().task(id), reason),
  }));
  return <Actions of={`task ${id}`} actions={actions} onDone={onDone} />;
}
