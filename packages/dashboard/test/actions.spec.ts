import { describe, expect, it } from '@jest/globals';
import type { BatchView, QueueView, TaskDetails, TaskExplanation, Waybill } from '@waybill/client';
import type { Action, Typed } from '../src/actions/action.js';
import { commandsOn as onBatch } from '../src/batches/batch-actions.js';
import { DEFINE_RESOURCE, deleteResource, lift, PLACE } from '../src/holds/hold-actions.js';
import { commandsOn as onOperation } from '../src/operations/operation-actions.js';
import { commandsOn as onQueue } from '../src/queues/queue-actions.js';
import { changeField, changePolicy } from '../src/queues/policy-actions.js';
import { drain, rebuild, resume } from '../src/system/system-actions.js';
import { commandsOn as onTask } from '../src/tasks/task-actions.js';
import { commandsOn as onTrigger } from '../src/triggers/trigger-actions.js';

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
  'CancelTask',
  'ChangePrerequisites',
  'AbortTask',
  'DeleteTask',
  'OverruleTask',
];
const TASK = { id: '7', priority: 0, dueAt: null, payload: {}, data: {} } as unknown as TaskDetails;

const onTaskIn = (state: TaskExplanation['state'], allowed = EVERY_COMMAND): Action[] =>
  onTask(TASK, { state, allowed });

const shut = { name: 'mail', state: 'paused', intake: { open: false } } as QueueView;
const open = { name: 'mail', state: 'active', intake: { open: true } } as QueueView;
const finished = { ...open, state: 'finished' } as QueueView;
const BATCH_COMMANDS: BatchView['commands'] = [
  'ReleaseBatch',
  'RequestReport',
  'RerunBatch',
  'AbortBatch',
  'DeleteBatch',
];
const trigger = (state: 'enabled' | 'disabled') => onTrigger({ name: 'nightly', state, event: {} });
type Operation = Parameters<typeof onOperation>[0];
const operation = (state: string, command = 'retry', finishedAt: string | null = null): Action[] =>
  onOperation({ id: '7', state, command, finishedAt } as Operation);

const POLICIED = { name: 'mail', policyVersion: 3 };

const ALL: readonly Action[] = [
  ...onTaskIn('failed'),
  ...onQueue(shut),
  ...onQueue(open),
  ...onQueue(finished),
  ...onBatch({ id: '7', commands: BATCH_COMMANDS }),
  ...trigger('enabled'),
  ...trigger('disabled'),
  ...operation('running'),
  ...operation('held'),
  ...operation('succeeded', 'retry', '2026-11-23T00:00:00Z'),
  changePolicy(POLICIED),
  changeField(POLICIED, { field: 'retry.maxAttempts', value: 3, setBy: null }),
  drain({ running: 2 }),
  resume,
  rebuild('queue-stats'),
  lift({ name: 'maps' }),
  PLACE,
  DEFINE_RESOURCE,
  deleteResource({ name: 'disk' }),
];

const TYPED: Readonly<Record<string, string>> = {
  number: '7',
  json: '{"leaseMs":1}',
  labels: 'collection=maps',
  due: 'now',
};

/** Something that each field accepts. */
const typedFor = ({ fields = [] }: Action): Typed =>
  Object.fromEntries(
    fields.map(({ name, kind = '', choices }) => [name, choices?.[0] ?? TYPED[name] ?? TYPED[kind] ?? 'something']),
  );

/** What the last call of a client got. */
async function toldBy(action: Action, reason: string): Promise<readonly unknown[]> {
  let told: readonly unknown[] = [];
  const recorder: unknown = new Proxy(() => undefined, {
    get: (_, name) => (name === 'then' ? undefined : recorder),
    apply: (_, __, given: unknown[]) => ((told = given), recorder),
  });
  await action.run(recorder as Waybill, reason, { ...typedFor(action), until: '' });
  return told;
}

describe('every command of a person', () => {
  it.each(ALL.map((action) => [action.name, action] as const))(
    '%s sends the reason to the service',
    async (_, action) => {
      expect(JSON.stringify(await toldBy(action, 'the mail server moves'))).toContain('the mail server moves');
    },
  );

  it.each(ALL.map((action) => [action.name, action] as const))(
    '%s says what a terminal would do',
    (_, { cli, ...action }) => {
      const text = typeof cli === 'string' ? cli : cli(typedFor(action as Action));
      expect(text).toMatch(/^waybill [a-z]/);
      expect(text).not.toContain('undefined');
    },
  );
});

const namesOf = (actions: readonly Action[]): string[] => actions.map(({ name }) => name);

describe('the commands on a task', () => {
  it('are those that the service allows, deletion included', () => {
    expect(namesOf(onTaskIn('failed', ['RetryTask', 'AbortTask', 'DeleteTask']))).toEqual([
      'Retry',
      'Abort',
      'Delete',
      'Run again',
    ]);
  });

  it('do not delete a running task, which the service would refuse', () => {
    expect(namesOf(onTaskIn('running', ['CancelTask', 'AbortTask', 'DeleteTask']))).toEqual(['Cancel', 'Abort']);
  });
});

describe('the commands on an operation', () => {
  it('steer it while it is under way, and take it back once it has ended', () => {
    expect(namesOf(operation('running'))).toEqual(['Pause', 'Stop for good']);
    expect(namesOf(operation('held'))).toEqual(['Resume', 'Stop for good']);
    expect(namesOf(operation('succeeded', 'retry', '2026-11-23T00:00:00Z'))).toEqual(['Undo']);
    expect(namesOf(operation('succeeded', 'undo', '2026-11-23T00:00:00Z'))).toEqual(['Give it again']);
  });

  it('are none for what cannot be taken back', () => {
    expect(operation('succeeded', 'deleteQueue', '2026-11-23T00:00:00Z')).toEqual([]);
    expect(operation('succeeded', 'runAgain', '2026-11-23T00:00:00Z')).toEqual([]);
  });
});

it('a field of a group of the policy is changed within its group', async () => {
  const [changes] = await toldBy(changeField(POLICIED, { field: 'retry.maxAttempts', value: 3, setBy: null }), 'x');
  expect(changes).toEqual({ retry: { maxAttempts: { leaseMs: 1 } } });
});
