import { describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill } from '@waybill/client';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Action } from '../src/actions/action.js';
import { commandsOn as onBatch } from '../src/batches/batch-actions.js';
import { changeField } from '../src/queues/policy-actions.js';
import { drain } from '../src/system/system-actions.js';
import { commandsOn as onTrigger } from '../src/triggers/trigger-actions.js';
import { ALL, onTaskIn, operation, POLICIED, typedFor } from './every-action.js';

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

const REASONED = ALL.filter(({ takesNoReason }) => !takesNoReason);

describe('every command of a person', () => {
  it.each(REASONED.map((action) => [action.name, action] as const))(
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

type Described = Record<string, { readonly 'x-waybill'?: { readonly permissions: readonly string[] } }>;

const { paths } = JSON.parse(readFileSync(join(__dirname, '../../../openapi.json'), 'utf8')) as {
  readonly paths: Record<string, Described>;
};

/** The permissions that the service asks for a request. */
function permissionsFor(method: string, path: string): readonly string[] {
  const isOf = (pattern: string): boolean => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const [, operations] = Object.entries(paths)
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .find(([pattern]) => isOf(pattern))!;
  return operations[method.toLowerCase()]!['x-waybill']!.permissions;
}

/** What the service asks for the request that a command sends. */
async function askedFor(action: Action): Promise<readonly string[]> {
  let asked: readonly string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked = permissionsFor(init!.method!, new URL(input as string).pathname);
    throw new Error('Nothing is sent');
  };
  const waybill = createWaybill({ url: 'http://waybill', fetch, retry: { attempts: 1 } });
  await action.run(waybill, 'the mail server moves', { ...typedFor(action), until: '' }).catch(() => undefined);
  return asked;
}

it.each(ALL.map((action) => [action.name, action] as const))(
  '%s is offered to those whose key may give it',
  async (_, action) => expect(await askedFor(action)).toEqual([action.permission ?? 'operate']),
);

const namesOf = (actions: readonly Action[]): string[] => actions.map(({ name }) => name);

describe('the commands on a task', () => {
  it('are those that the service allows, deletion included', () => {
    expect(namesOf(onTaskIn('failed', ['RetryTask', 'AbortTask', 'DeleteTask']))).toEqual([
      'Retry',
      'Abort',
      'Delete',
      'Retry from a step',
      'Run again',
    ]);
  });

  it('delete a running task by force alone: the service would refuse it otherwise', async () => {
    const running = onTaskIn('running', ['CancelTask', 'AbortTask', 'DeleteTask']);
    expect(namesOf(running)).toEqual(['Cancel', 'Abort', 'Delete by force']);
    expect(await toldBy(running.at(-1)!, 'x')).toEqual([{ force: true, reason: 'x' }]);
  });

  it('retry a task with steps from any of them', async () => {
    const [, from] = onTaskIn('failed', ['RetryTask']);
    expect(await toldBy(from!, 'x')).toEqual([{ step: 'scan', reason: 'x' }]);
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
  const [changes] = await toldBy(
    changeField(POLICIED, { field: 'retry.maxAttempts', value: 3, isDefault: true, setBy: null }),
    'x',
  );
  expect(changes).toEqual({ retry: { maxAttempts: 3 } });
});

describe('the commands on a batch', () => {
  const batch = { id: '7', commands: [], planner: null, total: 3 };

  it('open one that nobody plans, with the tasks that it has', async () => {
    const [open] = onBatch({ ...batch, phase: 'planning' });
    expect(open!.fields).toEqual([expect.objectContaining({ initial: '3' })]);
    expect(onBatch({ ...batch, phase: 'running' })).toEqual([]);
    expect(onBatch({ ...batch, phase: 'planning', planner: '8' })).toEqual([]);
  });
});

it('a trigger is changed from the definition that it has', () => {
  const shown = {
    name: 'nightly',
    state: 'enabled',
    cron: '30 2 * * *',
    task: { queue: 'mail' },
    words: 'at 2:30',
    next: [],
  };
  const change = onTrigger(shown as unknown as Parameters<typeof onTrigger>[0]).find(({ name }) => name === 'Change');
  expect(JSON.parse(change!.fields![0]!.initial!)).toEqual({ cron: '30 2 * * *', task: { queue: 'mail' } });
});

it('the drain counts what runs as Home does, without the tasks of the service itself', () => {
  expect(drain({ running: 3, runningInternal: 1 }).about).toContain('2 running now may finish');
});
