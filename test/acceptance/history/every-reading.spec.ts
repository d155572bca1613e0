import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@waybill/contracts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { PastWaybill } from '../../../packages/client/src/past.js';
import { programFor } from '../../../packages/cli/src/program.js';
import { OPERATIONAL } from '../../support/only-present.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const ROOT = join(import.meta.dirname, '../../..');

interface Described {
  readonly parameters?: readonly { readonly name: string }[];
}

const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
const operations = Object.entries(paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([method, { parameters = [] }]) => {
    const takesMoment = parameters.some(({ name }) => name === 'asOf');
    return { method: method.toUpperCase(), path, takesMoment };
  }),
);
const readings = operations.filter(({ method, path }) => method === 'GET' && !OPERATIONAL.includes(path));
const ofPast = readings.filter(({ takesMoment }) => takesMoment);
const ofOne = ofPast.filter(({ path }) => path.includes('{'));

/** In the order in which they come to be. Of each there is one, and nothing of it before `begun`. */
const NAMES: Record<string, string> = {
  queue: 'mail',
  trigger: 'yearly',
  hold: 'legal',
  resource: 'disk',
};
let service: RunningService;
let begun: string;
let now: string;
beforeAll(async () => {
  service = await startService();
  const { waybill } = service;
  begun = (await waybill.queue('earlier').define()).position!;
  const queue = waybill.queue('mail');
  await queue.define();
  await waybill.trigger('yearly').define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: 'mail' } });
  await waybill.holds.place('legal', { customer: 'a' });
  await waybill.resources.define('disk', { unit: '%' });
  NAMES['batch'] = (await waybill.createBatch({ name: 'maps' })).id;
  const { id } = await queue.enqueue('a', { batch: NAMES['batch'] });
  NAMES['task'] = id;
  NAMES['group'] = await failed();
  now = (await queue.changePolicy({ leaseMs: 90_000 }, { ifVersion: 1 })).position!;
});
afterAll(() => service.stop());

/** The group of a task that has failed. */
async function failed(): Promise<string> {
  const queue = service.waybill.queue('failing');
  await queue.define({ onFailure: 'fail' });
  await queue.enqueue('b');
  const [task] = await queue.claim({ worker: 'w1' });
  const verdict = { type: 'fail', error: { message: 'no', class: 'business' } } as const;
  await service.waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict }]);
  return until('its group', async () => (await service.waybill.failures.list().next()).value?.id ?? null);
}

const UNKNOWN: Record<string, string> = {
  group: 'g000000000000000',
  queue: 'nowhere',
  trigger: 'never',
  hold: 'never',
  resource: 'never',
  task: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f',
  batch: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f',
};

const subjectOf = (path: string, of: string): string =>
  of === 'id' ? (path.includes('batches') ? 'batch' : 'task') : of;

const filled = (path: string, names: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, of: string) => names[subjectOf(path, of)] ?? 'x');

interface Answered {
  readonly status: number;
  readonly body: any;
}

async function ask(path: string, query: string, method = 'GET'): Promise<Answered> {
  const answer = await fetch(`${service.url}${path}?${query}`, { method });
  return { status: answer.status, body: await answer.json() };
}

const invalid = { status: 400, body: expect.objectContaining({ code: 'INVALID_INPUT' }) };

describe('every reading of the past', () => {
  it.each(ofPast)('H-04 $path refuses moments that there are not, and two at once', async ({ path }) => {
    const refused = (query: string) => ask(filled(path, NAMES), query);
    for (const moment of [
      new Date(Date.now() + 3_600_000).toISOString(),
      '999999999999999',
      '0',
      '30d',
      'yesterday',
      '',
    ])
      expect([moment, await refused(`asOf=${moment}`)]).toEqual([moment, invalid]);
    expect(await refused(`asOf=${now}&minPosition=${now}`)).toEqual(invalid);
    expect(await refused(`asOf=${now}&at=${now}`)).toEqual(invalid);
    expect(await refused(`asOf=${now}&asOf=${now}`)).toEqual(invalid);
  });

  it.each(ofOne)('H-04 $path says from when on there is what did not exist then', async ({ path }) => {
    const then = await ask(filled(path, NAMES), `asOf=${begun}`);
    expect([then.status, then.body.code]).toEqual([404, expect.stringMatching(/_NOT_FOUND$/)]);
    const { position, at } = then.body.existsFrom;
    expect([BigInt(position) > BigInt(begun), new Date(at).toISOString()]).toEqual([true, at]);
    const never = await ask(filled(path, UNKNOWN), `asOf=${now}`);
    expect([never.status, never.body.code, never.body.existsFrom]).toEqual([404, then.body.code, undefined]);
  });

  it.each(ofPast)(
    'H-10 H-14 $path is opened by a link, names what is not recorded, and offers nothing',
    async ({ path }) => {
      const { status, body } = await ask(filled(path, NAMES), `asOf=${now}`);
      expect([status, body.asOf]).toMatchObject([200, { position: now, notRecorded: expect.any(Array) }]);
      expect(await ask(filled(path, NAMES), `at=${now}`)).toEqual({ status, body });
      expect(offersIn(body)).toEqual([]);
    },
  );
});

/** The lists of commands in an answer that are not empty. A policy says which commands are offered. */
function offersIn(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (name === 'policy') return [];
    return name === 'commands' && value.length > 0 ? [value] : offersIn(value);
  });
}

describe('everything else', () => {
  it.each(readings.filter(({ takesMoment }) => !takesMoment))('H-04 $path refuses a moment', async ({ path }) => {
    for (const name of ['asOf', 'at']) {
      const { status, body } = await ask(filled(path, NAMES), `${name}=${now}`);
      expect([status, body.errors]).toEqual([
        400,
        expect.arrayContaining([expect.objectContaining({ pointer: `#/query/${name}` })]),
      ]);
    }
  });

  it.each(operations.filter(({ method }) => method !== 'GET'))(
    'H-04 $method $path refuses a moment',
    async ({ method, path }) => {
      const { status, body } = await ask(filled(path, NAMES), `asOf=${now}`, method);
      expect([status, body.code, JSON.stringify(body.errors)]).toEqual([
        400,
        'INVALID_INPUT',
        expect.stringContaining('#/query/asOf'),
      ]);
    },
  );
});

describe('the past in the client and on the command line', () => {
  it('H-10 has readings alone', async () => {
    const called: string[] = [];
    const caller = {
      call(operation: string) {
        called.push(operation);
        return Promise.resolve({ items: [], nextCursor: null });
      },
    };
    const past = new PastWaybill(caller as never, '1');
    const parts: object[] = [past, past.failures, past.holds, past.resources, past.system];
    parts.push(past.task('x'), past.queue('x'), past.batch('x'), past.trigger('x'));
    for (const part of parts)
      for (const method of methodsOf(part)) {
        const result: unknown = await (part as Record<string, (name: string) => unknown>)[method]!('x');
        if (Symbol.asyncIterator in Object(result)) for await (const _ of result as AsyncIterable<unknown>);
      }
    const methods = OPERATIONS as Readonly<Record<string, { readonly method: string; readonly path: string }>>;
    expect(new Set(called.map((operation) => methods[operation]!.method))).toEqual(new Set(['GET']));
    expect([...new Set(called.map((operation) => methods[operation]!.path))].sort()).toEqual(
      ofPast
        .map(({ path }) => path)
        .filter((path) => path !== '/v1/queues/{queue}/failed')
        .sort(),
    );
  });

  it('H-10 is the option of every command that reads what has a past', () => {
    const stdout = new PassThrough() as unknown as NodeJS.WriteStream;
    const program = programFor({ stdin: Readable.from([]), stdout, stderr: new PassThrough(), env: {} });
    const reference = readFileSync(join(ROOT, 'docs/reference/as-of.md'), 'utf8');
    const told = [...reference.matchAll(/`waybill ([a-z ]+?)(?: --[^`]*)?` +\|$/gm)].map(([, name]) => name!);
    expect([...new Set(told)].sort()).toEqual(withMoment(program.commands).sort());
  });
});

function methodsOf(part: object): string[] {
  const names: string[] = [];
  for (let of = Object.getPrototypeOf(part); of !== Object.prototype; of = Object.getPrototypeOf(of))
    names.push(...Object.getOwnPropertyNames(of));
  return [...new Set(names)].filter((name) => name !== 'constructor');
}

type Commands = ReturnType<typeof programFor>['commands'];

/** The names of the commands that take `--as-of`. */
const withMoment = (commands: Commands): string[] =>
  commands.flatMap((command) => [
    ...(command.options.some(({ long }) => long === '--as-of') ? [command.name()] : []),
    ...withMoment(command.commands).map((name) => `${command.name()} ${name}`),
  ]);
