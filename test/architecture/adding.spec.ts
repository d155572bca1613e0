import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS, READINGS } from '../support/both-modes/scenario.js';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The code that people edit. */
const SOURCES = ['src', 'packages/contracts/src', 'packages/client/src', 'packages/cli/src', 'packages/dashboard/src']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name.toString()}`),
  )
  .filter((path) => /\.(tsx?|sql)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  .filter(({ text }) => !text.startsWith('// Generated'));

/** Each kind has an existing example, a pattern for its code, and the number of files that it may change. */
const KINDS = [
  {
    heading: 'Add a task command',
    names: /Reprioriti|prioritiseTask|PrioritiseTask|prioritise[(:]/,
    most: 10,
    own: null,
  },
  {
    heading: 'Add a read model',
    names: /workerRoster|worker_roster|'worker-roster'[,;]|WorkerView/,
    most: 8,
    own: null,
  },
  {
    heading: 'Add a policy field',
    names: /workersPrioritise/,
    most: 6,
    own: null,
  },
  {
    heading: 'Add an aggregate',
    names: /queue-consumer\/|consumer: null/,
    most: 12,
    own: 'src/domain/queue-consumer/',
  },
] as const;

/** The files with which the lines of a list in the guide begin. */
const filesIn = (list: string): string[] =>
  [...list.matchAll(/^- ((?:`[^`]+`(?:, )?)+)/gm)].flatMap(([, line]) =>
    [...line!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
  );

describe.each(KINDS)('CONTRIBUTING, "$heading"', ({ heading, names, most, own }) => {
  const section = GUIDE.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  const [always, sometimes] = section.split('Where they apply:').map((list) => filesIn(list));

  it('lists existing files', () => {
    expect(always!.length).toBeGreaterThan(4);
    expect([...always!, ...sometimes!].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it(`needs no more than ${most} files`, () => expect(always!.length).toBeLessThanOrEqual(most));

  it('lists every file that contains its example', () => {
    const paths = SOURCES.filter(({ text, path }) => names.test(text) && !(own && path.startsWith(own))).map(
      ({ path }) => path,
    );
    expect(paths.filter((path) => ![...always!, ...sometimes!].includes(path))).toEqual([]);
    const code = always!.filter((path) => /\.(tsx?|sql)$/.test(path));
    expect(code.filter((path) => !paths.includes(path))).toEqual([]);
  });
});

interface Get {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

const { paths: PATHS } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, { readonly get?: Get }>>;
};
const READ = Object.values(PATHS).flatMap(({ get }) => get ?? []);

/** Positions and times that no two services have in common. */
const MOMENTS = ['minPosition', 'cursor', 'after', 'since'];

const ids: Readonly<Record<string, string>> = { any: 'id' };
const ANY_CAST = { tasks: new Proxy(ids, { get: () => 'id' }), batches: new Proxy(ids, { get: () => 'id' }) };

describe('the scenario that both places of the events must answer alike', () => {
  it('asks every operation that reads', () => {
    expect(Object.keys(READINGS).sort()).toEqual(READ.map(({ operationId }) => operationId).sort());
  });

  it.each(READ)(
    'asks $operationId by every parameter that does not name a moment',
    ({ operationId, parameters = [] }) => {
      const asked = READINGS[operationId]!(ANY_CAST).flatMap(({ query }) => Object.keys(query ?? {}));
      const names = parameters.flatMap((one) => (one.in === 'query' && !MOMENTS.includes(one.name) ? one.name : []));
      expect(names.filter((name) => !asked.includes(name))).toEqual([]);
    },
  );

  it('has every metric', () => {
    const api = SOURCES.filter(({ path }) => path.startsWith('src/api/'));
    const named = api.flatMap(({ text }) => [...text.matchAll(/name: '(waybill_\w+)'/g)].map(([, name]) => name!));
    expect(named.length).toBeGreaterThan(25);
    expect(Object.values(METRICS).flat().sort()).toEqual(named.sort());
  });
});
