import { ClaimRequest, ExtendMany, LeaseProof } from '../../src/api/dto/claim.dto.js';
import { Failure, SettleMany, Success } from '../../src/api/dto/settlement.dto.js';
import { EnqueueMany, TaskSubmission } from '../../src/api/dto/submission.dto.js';
import { compiledCheck } from '../../src/api/input/schemas.js';
import { faultsAgainst } from '../../src/api/input/validator.js';

type Model = new () => object;

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
const TOKEN = '17.0b7bb6d0-7b0c-4d7e-9d0e-0d8b8d1c9a11';

const SUBMISSION = {
  id: ID,
  kind: 'send-mail',
  key: 'customer-17',
  reference: 'order-4711',
  priority: -3,
  dueAt: '2026-11-21T08:00:00.000Z',
  labels: { customer: 'acme', empty: '' },
  description: 'a mail',
  payload: { to: ['ann@example.com'], deep: { null: null } },
  hold: { reason: 'wait' },
  prepared: false,
};

const verdicts = [
  { type: 'succeed' },
  { type: 'succeed', result: [1], noChange: true },
  { type: 'fail', error: { message: 'no', class: 'transient', details: { a: 1 } }, final: true, retryAfterMs: 10 },
  { type: 'completeStep', step: 'render', then: 'offer', result: null },
  { type: 'reportError', error: { message: 'hm' } },
  { type: 'return' },
  { type: 'confirmCancel' },
];

/** A body of each frequent request with every member that a caller may send. */
const FULL: readonly (readonly [string, Model, object])[] = [
  ['TaskSubmission', TaskSubmission, SUBMISSION],
  ['EnqueueMany', EnqueueMany, { tasks: [{ ...SUBMISSION, queue: 'mail' }, { queue: 'a' }] }],
  ['ClaimRequest', ClaimRequest, { worker: 'w1', server: 's1', max: 10, waitMs: 60_000, leaseMs: 30_000, claimId: ID }],
  ['SettleMany', SettleMany, { items: verdicts.map((verdict) => ({ taskId: ID, token: TOKEN, verdict })) }],
  ['ExtendMany', ExtendMany, { items: [{ taskId: ID, token: TOKEN }] }],
  ['LeaseProof', LeaseProof, { token: TOKEN }],
  ['Success', Success, { token: TOKEN, result: { a: 1 }, noChange: false }],
  ['Failure', Failure, { token: TOKEN, error: { message: 'no' }, final: false, retryAfterMs: 0 }],
];

const checks = new Map(FULL.map(([, model]) => [model, compiledCheck(model)]));
const byDecorators = (model: Model, body: unknown) => faultsAgainst(model, body).length === 0;
const bySchema = (model: Model, body: unknown) => checks.get(model)!(body);

/** What no field takes, or only some: whether a member is there, of which kind, and which alternative it names. */
const OTHER: readonly unknown[] = [undefined, null, 0, '', [], {}, { type: 'other' }, { type: 'fail' }];

type Path = readonly (string | number)[];

/** Every place in the value, including the value itself. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))];
}

/** A copy of `value` with another value at the place. `undefined` removes it. */
function changed(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[name] = changed(copy[name], rest, by);
  if (copy[name] === undefined) delete copy[name];
  return Array.isArray(copy) ? copy.filter((item) => item !== undefined) : copy;
}

describe.each(FULL)('%s', (_, model, full) => {
  const places = placesIn(full);

  it('is accepted with all its members', () => {
    expect(faultsAgainst(model, full)).toEqual([]);
    expect(bySchema(model, full)).toBe(true);
  });

  // What a single field accepts needs no comparison: its decorator checks by the same schema.
  it('is composed alike for the decorators and for the compiled schema', () => {
    let refused = 0;
    for (const place of places) {
      for (const other of OTHER) {
        const body = changed(full, place, other);
        const taken = byDecorators(model, body);
        if (!taken) refused++;
        if (bySchema(model, body) !== taken)
          throw new Error(`The schema disagrees (${!taken}) on ${JSON.stringify(body)}`);
      }
    }
    expect(refused).toBeGreaterThan(OTHER.length);
  });

  it('refuses an unknown member everywhere except in free JSON', () => {
    for (const place of places) {
      const body = changed(full, [...place, 'unheardOf'], 1);
      expect([place, bySchema(model, body)]).toEqual([place, byDecorators(model, body)]);
    }
    expect(byDecorators(model, { ...full, unheardOf: 1 })).toBe(false);
  });
});

it.each([
  ['EnqueueMany', EnqueueMany, 'tasks', { queue: 'a' }],
  ['SettleMany', SettleMany, 'items', { taskId: ID, token: TOKEN, verdict: { type: 'succeed' } }],
  ['ExtendMany', ExtendMany, 'items', { taskId: ID, token: TOKEN }],
])('limits batches alike: %s', (_, model, list, item) => {
  const many = (count: number) => ({ [list]: Array.from({ length: count }, () => item) });
  for (const [count, taken] of [
    [0, false],
    [1_000, true],
    [1_001, false],
  ] as const) {
    expect([bySchema(model, many(count)), byDecorators(model, many(count))]).toEqual([taken, taken]);
  }
});

it('points at every fault, and says what was expected', () => {
  const faults = faultsAgainst(EnqueueMany, {
    tasks: [{ queue: 'a' }, { queue: 'a', priority: 'high', hold: { reason: 3 }, surprise: 1 }, { queue: '/' }],
  });
  expect(faults).toEqual([
    {
      pointer: '/tasks/1/surprise',
      detail: expect.stringMatching(/^Expected one of 'queue', .*'priority', .*, but it is none of them$/),
    },
    {
      pointer: '/tasks/1/priority',
      detail: 'Expected an integer from -2147483648 to 2147483647, but got text of 4 characters',
    },
    { pointer: '/tasks/1/hold/reason', detail: 'Expected text of 1 to 1024 characters, but got 3' },
    {
      pointer: '/tasks/2/queue',
      detail:
        "Expected a name of up to 100 letters, digits, '.', '-' and '_' that begins with a letter or a digit, but got text of 1 character",
    },
  ]);
});
