import { inspect } from 'node:util';
import { SettleTasks } from '../../src/application/claims/settle-tasks.handler.js';
import { RunTransaction } from '../../src/application/transactions/run-transaction.handler.js';
import { PreviewCommand } from '../../src/application/previews/preview-command.handler.js';
import { GetQueueOutlook } from '../../src/projections/queue-deletions/queue-deletions.queries.js';
import { CountTasks } from '../../src/projections/tasks/tasks.queries.js';
import { GetTrigger } from '../../src/projections/triggers/triggers.queries.js';
import { fakeApplication, type FakeApplication, receipt } from './fake-application.js';

/** A schema of the document of the API. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly takesKey: boolean;
  readonly schema: Schema;
}

const IDS = ['019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f', '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e50'] as const;
const GROUPS = ['g000000000000000', 'g111111111111111'] as const;
const TOKENS = IDS.map((secret, at) => `${17 + at}.${secret}`);
const HEADERS = { 'waybill-actor': 'ann', 'x-request-id': 'r-1' };

/** Two values for fields whose schemas do not say which texts make sense, by the end of their paths. */
const VALUES: readonly (readonly [path: RegExp, values: readonly [unknown, unknown]])[] = [
  [/\.payloadSha256$/, ['a'.repeat(64), 'b'.repeat(64)]],
  [/\.payloadSchemas$/, [{ order: { type: 'object' } }, { order: { type: 'array' } }]],
  [/\.weights$/, [{ acme: 3 }, { bolt: 2 }]],
  [/\.token$/, [TOKENS[0], TOKENS[1]]],
  [/\.traceparent$/, IDS.map((id) => `00-${id.replaceAll('-', '')}-00f067aa0ba902b7-01`) as [string, string]],
  [/cron$/, ['0 1 * * *', '0 2 * * *']],
  [/timeZone$/, ['UTC', 'Europe/Berlin']],
  [/url$/, ['https://a.example/x', 'https://b.example/x']],
  [/\.to\[\]$/, ['a@example.com', 'b@example.com']],
  [/\.label$/, ['a:1', 'a:2']],
  [/\.endedBefore$/, ['1d', '2d']],
  [/^(defineTrigger\.event\.from|replayTrigger\.(from|to)|startBulkOperation\.asPreviewed)$/, ['1', '2']],
  [/\.goOnIf$/, [0.8, 1]],
  [/\.group$/, GROUPS],
  [/^(runTransaction\.commands\[\]|previewCommand)\.body$/, [{ reason: 'a' }, { reason: 'b' }]],
  [/^(runTransaction\.commands\[\]|previewCommand)\.operation$/, ['pauseQueue', 'deleteQueue']],
];

const MAIL = { to: ['a@example.com'], subject: 'a', text: 'a' };
const EVENT = { types: ['TaskFailed'] };

const DELIVERY = { scheme: 'github', secret: 'shop' };

/** What fields need beside them: where, which, and what. */
const BESIDE: readonly (readonly [object: RegExp, field: RegExp, beside: object])[] = [
  [/(after|add)\[\]$/, /ignore$/, { task: IDS[0] }],
  [/^arrangeTask$/, /reason$/, { add: [{ task: IDS[0] }] }],
  [/^setLimit$/, /\.(reason|label|value)$/, { label: 'a', maxRunning: 1 }],
  [/^setLimit$/, /\.(maxRunning|rate)/, { label: 'a' }],
  [/^startDelivery$/, /\.(id|reason)$/, { mail: MAIL }],
  [/^startErasure$/, /\.(reason|abortOpen|preview)$/, { task: IDS[0] }],
  [/^startErasure$/, /\.(key|endedBefore)$/, { queue: 'mail' }],
  [/^startErasure$/, /\.queue$/, { key: 'a' }],
  [/^startBulkOperation$/, /\.(command|reason|preview)$/, { all: true }],
  [/^startBulkOperation$/, /\.priority$/, { all: true, command: 'prioritise' }],
  [/^startBulkOperation$/, /\.(canary|perSecond|asPreviewed)/, { all: true, command: 'retry' }],
  [/^startBulkOperation$/, /\.again\b/, { all: true, command: 'runAgain', reason: 'r' }],
  [/^startBulkOperation\.filter$/, /\.(policyVersion|decided\w+)$/, { queue: 'mail', policyVersion: 1 }],
  [/^startBulkOperation$/, /\.running$/, { filter: { queue: 'mail' }, command: 'deleteQueue' }],
  [
    /^defineTrigger$/,
    /^defineTrigger\.(cron|timeZone|missed|task|description|reason|notify)/,
    { cron: '0 1 * * *', timeZone: 'UTC', task: { queue: 'mail' } },
  ],
  [/^defineTrigger$/, /^defineTrigger\.changes/, { cron: '0 1 * * *', timeZone: 'UTC' }],
  [/^defineTrigger\.changes$/, /\.queue$/, { to: { mail: { to: MAIL.to } } }],
  [/^defineTrigger$/, /^defineTrigger\.(queue|batchSize|every|leaseMs)$/, { queue: 'mail', task: { queue: 'mail' } }],
  [/^defineTrigger$/, /^defineTrigger\.event/, { event: EVENT, task: { queue: 'mail' } }],
  [/^defineTrigger\.event$/, /\.types\[\]$/, { queue: 'mail' }],
  [/^defineTrigger\.event$/, /\.(exhausted|from)$/, { types: EVENT.types, queue: 'mail' }],
  [/^defineTrigger$/, /^defineTrigger\.(mail|webhook)/, { event: EVENT }],
  [/^defineTrigger$/, /^defineTrigger\.delivery/, { delivery: DELIVERY, task: { queue: 'mail' } }],
  [/^defineTrigger\.delivery$/, /./, DELIVERY],
  [/^runTransaction\.commands\[\]$/, /\.operation$/, { queue: 'mail' }],
  [/^runTransaction\.commands\[\]$/, /\.(queue|body)$/, { operation: 'pauseQueue', queue: 'mail', body: {} }],
  [/^runTransaction\.commands\[\]$/, /\.id$/, { operation: 'holdTask', body: {} }],
  [/^runTransaction\.commands\[\]$/, /\.ifVersion$/, { operation: 'changePolicy', queue: 'mail', body: {} }],
  [/^previewCommand$/, /\.operation$/, { on: 'mail' }],
  [/^previewCommand$/, /\.(on|body)$/, { operation: 'pauseQueue', on: 'mail' }],
  [/^previewCommand$/, /\.ifVersion$/, { operation: 'changePolicy', on: 'mail', body: {} }],
];

let api: FakeApplication;
let operations: Operation[];
let schemas: Readonly<Record<string, Schema>>;
beforeAll(async () => {
  api = await fakeApplication();
  const document = (await api.app.inject('/openapi.json')).json();
  schemas = document.components.schemas;
  operations = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // What is no operation has no fields: it takes what others sign.
      .filter(
        ([
          ,
          {
            requestBody,
            'x-waybill': { idempotency },
          },
        ]) => requestBody && idempotency !== undefined,
      )
      .map(([method, { operationId, requestBody, parameters = [] }]) => ({
        operationId,
        method: method.toUpperCase(),
        url: path
          .replace('{id}', IDS[0])
          .replace('{group}', GROUPS[0])
          .replace('{projection}', 'queue-stats')
          .replace(/\{\w+\}/, 'mail'),
        headers: (parameters.some(({ name }: { name: string }) => name === 'If-Match')
          ? { 'if-match': '"1"' }
          : {}) as Record<string, string>,
        takesKey: parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key'),
        schema: requestBody.content['application/json'].schema,
      })),
  );
});
afterAll(() => api.app.close());

/** One schema instead of references and parts. */
function whole(schema: Schema): Schema {
  if (schema.$ref) return whole(schemas[schema.$ref.split('/').at(-1)!]!);
  return schema.allOf ? whole(schema.allOf[0]!) : schema;
}

const isList = ({ type }: Schema): boolean => [type].flat()[0] === 'array';

/** A field, with how to make a body of one of its two values. */
interface Field {
  readonly path: string;
  readonly body: (at: 0 | 1) => unknown;
}

/** The fields of a schema, down to values that have no fields of their own. */
function fieldsOf(given: Schema, path: string): Field[] {
  const schema = whole(given);
  const chosen = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type !== 'null');
  if (chosen && Object.keys(chosen[0]!).length > 0) return chosen.flatMap((one) => fieldsOf(one, path));
  if (isList(schema))
    return fieldsOf(schema.items!, `${path}[]`).map((field) => ({ ...field, body: (at) => [field.body(at)] }));
  if (schema.enum?.length === 1) return [];
  if (!schema.properties) return [{ path, body: (at) => valueOf(schema, path, at) }];
  return Object.entries(schema.properties).flatMap(([name, one]) =>
    fieldsOf(one, `${path}.${name}`).map((field) => ({
      ...field,
      body: (at) => ({ ...requiredOf(schema, path), ...besideOf(path, field.path), [name]: field.body(at) }),
    })),
  );
}

const besideOf = (path: string, field: string): object =>
  Object.assign(
    {},
    ...BESIDE.flatMap(([object, one, beside]) => (object.test(path) && one.test(field) ? [beside] : [])),
  );

function requiredOf(schema: Schema, path: string): object {
  const names = schema.required ?? [];
  return Object.fromEntries(names.map((name) => [name, sampleOf(schema.properties![name]!, `${path}.${name}`)]));
}

function sampleOf(given: Schema, path: string): unknown {
  const schema = whole(given);
  const [chosen] = schema.oneOf ?? schema.anyOf ?? [];
  if (chosen && Object.keys(chosen).length > 0) return sampleOf(chosen, path);
  if (isList(schema)) return [sampleOf(schema.items!, `${path}[]`)];
  return schema.properties ? requiredOf(schema, path) : valueOf(schema, path, 0);
}

function valueOf(schema: Schema, path: string, at: 0 | 1): unknown {
  const known = VALUES.find(([pattern]) => pattern.test(path));
  if (known) return known[1][at];
  if (schema.enum) return schema.enum[Math.min(at, schema.enum.length - 1)];
  switch ([schema.type].flat()[0]) {
    case 'boolean':
      return at === 0;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1) + at;
    case 'string':
      return textOf(schema, at);
    default:
      return { a: `${at}` };
  }
}

function textOf({ format }: Schema, at: 0 | 1): string {
  switch (format) {
    case 'uuid':
      return IDS[at]!;
    case 'date-time':
      return `2099-01-0${at + 1}T00:00:00.000Z`;
    default:
      return ['mail', 'post'][at]!;
  }
}

const GENERATED = new RegExp(`(?!${IDS.join('|')})\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b`, 'g');

/** A command with those that it makes only when it is carried out. */
const unfolded = (message: object): object =>
  message instanceof RunTransaction
    ? [
        message.context,
        ...message.steps.map((step) => (step.kind === 'operate' ? [step, step.command(message.context)] : step)),
      ]
    : message;

/** What reached the application, without the ids that were generated for it; null if nothing did. */
async function reached({ method, url, headers }: Operation, body: unknown, key: object = {}): Promise<string | null> {
  const answer = await api.app.inject({
    method: method as 'POST',
    url,
    headers: { ...HEADERS, ...headers, ...key },
    payload: body as object,
  });
  const executed = [...api.commands.executed.splice(0), ...api.queries.executed.splice(0)];
  if (answer.statusCode === 400) return null;
  return inspect(executed.map(unfolded), { depth: null, maxArrayLength: null }).replaceAll(GENERATED, 'generated');
}

describe('every field of every request', () => {
  let fields: (Field & { readonly operation: Operation })[];
  beforeAll(() => {
    api.commands.answer(SettleTasks, ({ items }) => items.map(() => ({ kind: 'done', receipt: receipt(IDS[0]) })));
    const nothing = { position: 0n, changes: [], waiters: { aborted: 0, unblocked: 0 }, triggers: {} };
    // What it executes is what it previews.
    const preview = ({ command }: PreviewCommand) =>
      command({} as never).then(
        () => nothing,
        () => nothing,
      );
    api.commands.answer(PreviewCommand, preview as never);
    api.queries.answer(CountTasks, () => 1);
    api.queries.answer(GetQueueOutlook, () => ({}));
    api.queries.answer(GetTrigger, () => ({ event: EVENT }));
    // A follow token is made without a command, so what it takes is seen in the token: `following.spec`.
    const commanding = operations.filter(({ operationId }) => operationId !== 'createFollowToken');
    fields = commanding.flatMap((operation) =>
      fieldsOf(operation.schema, operation.operationId).map((field) => ({ ...field, operation })),
    );
    expect(fields.length).toBeGreaterThan(400);
  });

  it('is accepted, and another value of it makes another command or is refused', async () => {
    const ignored: string[] = [];
    for (const { path, body, operation } of fields) {
      const [first, again, other] = [
        await reached(operation, body(0)),
        await reached(operation, body(0)),
        await reached(operation, body(1)),
      ];
      if (first === null) ignored.push(`${path} is refused`);
      else if (first !== again) ignored.push(`${path} varies`);
      else if (first === other) ignored.push(path);
    }
    expect(ignored).toEqual([]);
  });

  it('belongs to what is compared under an Idempotency-Key', async () => {
    const ignored: string[] = [];
    for (const { path, body, operation } of fields.filter(({ operation: { takesKey } }) => takesKey)) {
      // Where a request was made from does not make it another one.
      if (/^enqueueTasks?\b.*\.traceparent$/.test(path)) continue;
      const key = { 'idempotency-key': 'k' };
      const [first, other] = [await reached(operation, body(0), key), await reached(operation, body(1), key)];
      const prints = [first, other].map((text) => /fingerprint: '([^']+)'/.exec(text ?? '')?.[1]);
      if (prints[0] === undefined || prints[0] === prints[1]) ignored.push(path);
    }
    expect(ignored).toEqual([]);
  });
});
