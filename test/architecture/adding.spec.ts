import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS } from '../../packages/contracts/src/events.js';
import { CATEGORIES } from '../../src/domain/aggregates.js';
import { DEFAULT_POLICY } from '../../src/domain/queue/queue.policy.js';
import { TASK_COMMANDS } from '../../src/domain/task/task.commands.js';
import { FOLLOWED } from '../../src/projections/read-models.js';
import { METRICS, READINGS } from '../support/both-modes/scenario.js';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The code that people edit. */
const SOURCES = [
  'src',
  'packages/contracts/src',
  'packages/client/src',
  'packages/otel/src',
  'packages/mcp/src',
  'packages/cli/src',
  'packages/dashboard/src',
  'packages/testing/src',
]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name.toString()}`),
  )
  .filter((path) => /\.(tsx?|sql)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  .filter(({ text }) => !text.startsWith('// Generated'));

/** How many of each kind there are. One more is the newest of its kind. */
const [COMMANDS, EVENT_TYPES, FOLLOWERS, AGGREGATE_KINDS, POLICY_FIELDS, TASK_COLUMNS] = [40, 96, 4, 13, 43, 45];

const columnsOfTasks = (): readonly string[] => {
  const tables = readFileSync(join(ROOT, 'src/infrastructure/database/migrations/tables.sql'), 'utf8');
  return tables
    .split('create table tasks (')[1]!
    .split(/^\)/m)[0]!
    .match(/^  [a-z_]+ /gm)!;
};

/** Comments may name anything. */
const codeOf = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|^\s*(\/\/|--) .*$/gm, '');

/**
 * Each kind has its newest example that needs all parts, a pattern for its code, and the number of files that it may cost. `newest`: how many
 * there are of the kind, so that whoever adds one looks whether it costs more, and counts it instead if it does. `own`: files that are not
 * counted, because nothing else is in them.
 */
const KINDS = [
  {
    heading: 'Add a task command',
    names: /\bAmendData\b|annotateTask|\bannotate[(:]/,
    most: 10,
    own: /^$/,
    newest: [Object.keys(TASK_COMMANDS).length, COMMANDS],
  },
  {
    heading: 'Add a task command of the service',
    names: /\bEraseTask\b/,
    most: 10,
    own: /^$/,
    newest: [Object.keys(TASK_COMMANDS).length, COMMANDS],
  },
  {
    heading: 'Add an event',
    names: /\bBatchErased\b/,
    most: 6,
    // What erasures look for.
    own: /\/erased-by\.ts$/,
    newest: [Object.keys(EVENTS).length, EVENT_TYPES],
  },
  {
    heading: 'Add an event that changes the status of a task',
    names: /\bTaskRestored\b/,
    most: 6,
    // Its command, and the check of what it gives back.
    own: /\/(redecide|restores)\.ts$/,
    newest: [Object.keys(EVENTS).length, EVENT_TYPES],
  },
  {
    heading: 'Add a read model',
    // `getQueueHistory` shows what happened to a queue.
    names: /(?<!get)QueueHistory|queueHistory|queue-history|create table queue_minutes|QueueCharts/,
    most: 16,
    // Two that count with its figures, and the same of the past.
    own: /\/time\/course\.ts$|\/list-overlaps\.query\.ts$|\/queue-history-as-of\.query\.ts$|^packages\/client\/src\/past\.ts$/,
    newest: [FOLLOWED.length, FOLLOWERS],
  },
  {
    heading: 'Add a read model of several questions',
    names:
      /FAILURE_GROUP_QUERIES|create table failure_groups |'failure_group_hours'|failuresThen|SumFailureGroups|FailuresController|groupBy\(|PastFailures\b|addFailureCommands|\bFailures\b.*failures\.js|getFailureGroup:|FailurePage/,
    most: 16,
    // Evidence of a group is evidence of its tasks.
    own: /failure|\/evidence\.ts$/,
    newest: [FOLLOWED.length, FOLLOWERS],
  },
  {
    heading: 'Add an aggregate',
    names:
      /viewStream|viewDecider|VIEW_NOT_FOUND: \{|ViewRejection|PostgresKnownViews|(Save|Delete)ViewHandler|ViewsController|viewRow|  view: (named|'views')|create table views |addViewCommands|ListViewsHandler|\bViews\b.*\/views\.js|<SharedViews|\bViewSaved\b|, 'views'\]/,
    most: 20,
    own: /views?[./-]/,
    newest: [CATEGORIES.length, AGGREGATE_KINDS],
  },
  {
    heading: 'Add an aggregate without a row',
    names:
      /notaryStream|notaryDecider|NotaryRejection|LOSS_NOT_FOUND: \{|AcceptLossHandler|provide: NotaryReport|  notary: null|acceptLoss|\bLogLossAccepted\b/,
    most: 20,
    // What seals, shows and verifies the log.
    own: /\/notary\/|\/(log\.(controller|dto)|(get-log|ended-logs)(\.query)?|seal-actions)\.ts$|sealed-log\.tsx?$|^packages\/cli\/src\/(session|commands\/(log|verify))\.ts$/,
    newest: [CATEGORIES.length, AGGREGATE_KINDS],
  },
  {
    heading: 'Add a policy field',
    names: /\bpayloadsOutsideAboveBytes\b/,
    most: 6,
    own: /^$/,
    newest: [Object.keys(DEFAULT_POLICY).length, POLICY_FIELDS],
  },
  {
    heading: 'Add a column of tasks',
    names: /\bpayload_?terms\b/i,
    most: 5,
    // What makes its value.
    own: /\/payload-terms\.ts$/,
    newest: [columnsOfTasks().length, TASK_COLUMNS],
  },
] as const;

/** The files with which the lines of a list in the guide begin. */
const filesIn = (list: string): string[] =>
  [...list.matchAll(/^- ((?:`[^`]+`(?:, )?)+)/gm)].flatMap(([, line]) =>
    [...line!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
  );

describe.each(KINDS)('CONTRIBUTING, "$heading"', ({ heading, names, most, own, newest: [there, counted] }) => {
  const section = GUIDE.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  const [always, sometimes = []] = section.split('Where they apply:').map((list) => filesIn(list));
  const listed = [...always!, ...sometimes];
  const example = SOURCES.filter(({ text, path }) => !own.test(path) && names.test(codeOf(text))).map(
    ({ path }) => path,
  );

  it('counts the newest example', () => expect(there).toBe(counted));

  it('lists existing files', () => expect(listed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]));

  it('lists every file that contains its example', () => {
    expect(example.length).toBeGreaterThan(2);
    expect(example.filter((path) => !listed.includes(path))).toEqual([]);
    const code = always!.filter((path) => /\.(tsx?|sql)$/.test(path) && !path.endsWith('/bucket.ts'));
    expect(code.filter((path) => !example.includes(path))).toEqual([]);
  });

  it(`needs no more than ${most} files`, () => {
    expect(new Set([...always!, ...example]).size).toBeLessThanOrEqual(most);
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
const MOMENTS = ['minPosition', 'asOf', 'cursor', 'after', 'since', 'decidedSince', 'decidedUntil'];

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
