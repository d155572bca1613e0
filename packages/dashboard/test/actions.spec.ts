import { describe, expect, it } from '@jest/globals';
import { createWaybill, type TaskExplanation, type Waybill } from '@waybill/client';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
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

interface Sent {
  readonly method: string;
  readonly path: string;
  /** Its parts, and what its query and its body say, with everything within. */
  readonly said: readonly unknown[];
}

/** The request that a command sends. Nothing is sent. */
async function sentBy(action: Action, typed = typedFor(action)): Promise<Sent> {
  let sent: Sent | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname: path, searchParams } = new URL(input as string);
    const body: unknown = init?.body ? JSON.parse(init.body as string) : null;
    sent = { method: init!.method!, path, said: [...path.split('/'), ...searchParams.values(), ...within(body)] };
    throw new Error('Nothing is sent');
  };
  const waybill = createWaybill({ url: 'http://waybill', fetch, retry: { attempts: 1 } });
  await action.run(waybill, 'the mail server moves', typed).catch(() => undefined);
  return sent!;
}

/** A value, and all that are in it. */
const within = (value: unknown): unknown[] => [
  value,
  ...(typeof value === 'object' && value !== null ? Object.values(value).flatMap(within) : []),
];

/** What the service asks for the request that a command sends. */
async function askedFor(action: Action): Promise<readonly string[]> {
  const { method, path } = await sentBy(action, { ...typedFor(action), until: '' });
  return permissionsFor(method, path);
}

/** What is sent of a text that somebody types, in one of the forms of its field. */
function meant(text: string): readonly unknown[] {
  const [name, label] = text.split('=');
  return [
    text,
    ...(/^\d+$|^\{/.test(text) ? [JSON.parse(text)] : []),
    // Seconds.
    ...(/^\d+$/.test(text) ? [Number(text) * 1_000] : []),
    ...(/^\d{4}-/.test(text) ? [new Date(text).toISOString()] : []),
    ...(label === undefined ? [] : [{ [name!]: label }, { [name!]: label === 'true' }, `${name}:${label}`]),
    ...(text === '5/s' ? [{ starts: 5, perMs: 1_000 }] : []),
  ];
}

/** Whether one has all members of the other, or is the same. */
const has = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) ||
  (one instanceof Object &&
    other instanceof Object &&
    Object.entries(other).every(([name, value]) => isDeepStrictEqual(Reflect.get(one, name), value)));

/** Whose choice beside it leaves it out. */
const LEFT_OUT = 'queueOfKey';

const FILLED = ALL.filter(({ fields = [] }) => fields.some(({ choices }) => !choices));

it.each(FILLED.map((action) => [action.name, action] as const))('%s sends what is typed', async (_, action) => {
  const { said } = await sentBy(action);
  const typed = typedFor(action);
  const texts = action
    .fields!.filter(({ name, choices }) => !choices && name !== LEFT_OUT)
    .map(({ name }) => [name, typed[name]!] as const);
  const isSaid = (text: string) => meant(text).some((value) => said.some((one) => has(one, value)));
  expect(texts.filter(([, text]) => !isSaid(text))).toEqual([]);
});

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

  it('signal it first while it waits for a signal, by its name, and else among what is seldom done', () => {
    const [signal] = onTaskIn('pending', ['SignalTask', 'HoldTask'], [{ because: 'signal', signal: 'approved' }]);
    expect(signal).toMatchObject({ name: 'Signal', kind: 'primary', fields: [{ initial: 'approved' }, {}] });
    expect(onTaskIn('pending', ['SignalTask'])[0]).toMatchObject({ name: 'Signal', isRare: true });
  });

  it('run it again unless its contents are erased', () => {
    const erased = { because: 'failed', erased: true } as unknown as TaskExplanation['reasons'][number];
    expect(namesOf(onTaskIn('failed', ['DeleteTask']))).toEqual(['Delete', 'Run again']);
    expect(namesOf(onTaskIn('failed', ['DeleteTask'], [erased]))).toEqual(['Delete']);
  });
});

it('the deletion of a queue says how many tasks it takes, and stops those that run or lets them end', async () => {
  const [lets, stops] = ALL.filter(({ cli }) => String(cli).includes('--with-tasks'));
  const queue = { deleteWithTasks: () => Promise.resolve({ count: 2, running: 1 }) };
  expect(await stops!.preview!({ queue: () => queue } as never, {})).toBe('2 tasks, of which 1 runs.');
  expect(await toldBy(lets!, 'x')).toEqual([{ running: 'finish', reason: 'x' }]);
  expect(await toldBy(stops!, 'x')).toEqual([{ running: 'cancel', reason: 'x' }]);
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
