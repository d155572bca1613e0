import type { BatchView, QueueView, TaskDetails, TaskExplanation } from '@waybill/client';
import type { Action, Typed } from '../src/actions/action.js';
import { commandsOn as onBatch, CREATE } from '../src/batches/batch-actions.js';
import { commandsOn as onFailure } from '../src/failures/failure-actions.js';
import { changeResource, DEFINE_RESOURCE, deleteResource, lift, measure, PLACE } from '../src/holds/hold-actions.js';
import { commandsOn as onOperation } from '../src/operations/operation-actions.js';
import { unsetLimit } from '../src/queues/limit-actions.js';
import { changeField, changePolicy } from '../src/queues/policy-actions.js';
import { commandsOn as onQueue, DEFINE } from '../src/queues/queue-actions.js';
import { ERASE, PURGE } from '../src/system/erase-action.js';
import { acceptLoss, newKey } from '../src/system/seal-actions.js';
import { drain, rebuild, resume } from '../src/system/system-actions.js';
import { enqueue } from '../src/tasks/enqueue-action.js';
import { commandsOn as onTask } from '../src/tasks/task-actions.js';
import { deleteView, saveView } from '../src/tasks/view-actions.js';
import { commandsOn as onTrigger, DEFINE as DEFINE_TRIGGER } from '../src/triggers/trigger-actions.js';

const EVERY_COMMAND: TaskExplanation['allowed'] = [
  'SubmitTask',
  'HoldTask',
  'ReleaseTask',
  'DecideRetry',
  'DecideFail',
  'RetryTask',
  'ReprioritiseTask',
  'RescheduleTask',
  'AmendPayload',
  'AmendData',
  'SignalTask',
  'CancelTask',
  'ChangePrerequisites',
  'AbortTask',
  'DeleteTask',
  'OverruleTask',
];
const TASK = {
  id: '7',
  priority: 0,
  dueAt: null,
  payload: {},
  data: {},
  steps: ['scan', 'print'],
} as unknown as TaskDetails;

export const onTaskIn = (
  state: TaskExplanation['state'],
  allowed = EVERY_COMMAND,
  reasons: TaskExplanation['reasons'] = [],
): Action[] => onTask(TASK, { state, allowed, reasons });

const shut = { name: 'mail', state: 'paused', intake: { open: false }, policy: { perLabel: null } } as QueueView;
const open = { name: 'mail', state: 'active', intake: { open: true }, policy: { perLabel: null } } as QueueView;
const finished = { ...open, state: 'finished' } as QueueView;
const BATCH_COMMANDS: BatchView['commands'] = [
  'ReleaseBatch',
  'RequestReport',
  'RerunBatch',
  'AbortBatch',
  'DeleteBatch',
];
const trigger = (state: 'enabled' | 'disabled') =>
  onTrigger({ name: 'nightly', state, event: { types: ['TaskFailed'] } });
type Operation = Parameters<typeof onOperation>[0];
export const operation = (state: string, command = 'retry', finishedAt: string | null = null): Action[] =>
  onOperation({ id: '7', state, command, finishedAt } as Operation);

const DISK = { name: 'disk', description: '', unit: '%', value: 71, staleAfterSeconds: 60 };
export const POLICIED = { name: 'mail', policyVersion: 3 };

/** Every command that a page offers for one thing, in each state in which it is offered. */
export const ALL: readonly Action[] = [
  ...onTaskIn('failed'),
  ...onTaskIn('running', ['DeleteTask']),
  ...onQueue(shut),
  ...onQueue(open),
  ...onQueue(finished),
  ...onBatch({ id: '7', commands: BATCH_COMMANDS, phase: 'planning', planner: null, total: 3 }),
  CREATE,
  ...onFailure({ id: 'g4306293cf4d033e', state: 'open' }),
  ...onFailure({ id: 'g4306293cf4d033e', state: 'resolved' }),
  unsetLimit('mail', 'customer', 'acme'),
  DEFINE,
  DEFINE_TRIGGER,
  ...trigger('enabled'),
  ...trigger('disabled'),
  ...operation('running'),
  ...operation('held'),
  ...operation('succeeded', 'retry', '2026-11-23T00:00:00Z'),
  changePolicy(POLICIED),
  changeField(POLICIED, { field: 'retry.maxAttempts', value: 3, isDefault: false, setBy: null }),
  drain({ running: 2, runningInternal: 0 }),
  resume,
  ERASE,
  acceptLoss({ size: 7, note: '' }),
  newKey('waybill/a'),
  PURGE,
  rebuild('queue-stats'),
  lift({ name: 'maps' }),
  PLACE,
  DEFINE_RESOURCE,
  deleteResource(DISK),
  changeResource(DISK),
  measure(DISK),
  enqueue(),
  saveView({ q: 'state:failed', overdue: 'true', sort: 'deadline' }),
  deleteView({ name: 'late' }),
];

const TRIGGER = { cron: '30 2 * * 1-5', timeZone: 'UTC', task: { queue: 'mail' } };
const SOME_ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e40';

const TYPED: Readonly<Record<string, string>> = {
  number: '17',
  json: '{"to":"ann"}',
  policy: '{"leaseMs":60000}',
  changes: '{"leaseMs":60000}',
  value: '3',
  definition: JSON.stringify(TRIGGER),
  labels: 'collection=maps',
  needs: 'gpu=true',
  due: '2030-01-31 09:00',
  until: '2030-01-31 09:00',
  from: '2h',
  olderThan: '90d',
  to: '1h',
  add: SOME_ID,
  waive: SOME_ID,
  batches: SOME_ID,
  after: SOME_ID,
  operation: SOME_ID,
  priority: '18',
  deadline: '2030-01-31 09:00',
  gauge: '19',
  subject: 'customer=4711',
  queueOfKey: 'mail',
  rate: '5/s',
};

/** Something that each field accepts, and no other field has. */
export const typedFor = ({ fields = [] }: Action): Typed =>
  Object.fromEntries(
    fields.map(({ name, kind = '', choices }) => [name, choices?.[0] ?? TYPED[name] ?? TYPED[kind] ?? `some-${name}`]),
  );
