import { createWaybill, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type ApiKey, PERMISSIONS } from '../src/api/access/api-keys.js';
import { endServiceProcesses, ServiceProcess } from './service-process.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';

/** Stands in every place where callers put what is theirs. */
const PRIVATE = 'what-nobody-may-log';
const KEYS: readonly ApiKey[] = ['boss', 'other'].map((name) => ({
  name,
  may: [...PERMISSIONS],
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
}));

let database: TestDatabase;
let service: ServiceProcess;
let url: string;
beforeAll(async () => {
  database = await createTestDatabase();
  service = new ServiceProcess({
    DATABASE_URL: database.url,
    WAYBILL_API_KEYS: JSON.stringify(KEYS),
    WAYBILL_LOG_LEVEL: 'trace',
  });
  url = await service.url();
});
afterAll(async () => {
  await endServiceProcesses();
  await database.drop();
});

const as = (name: string): Waybill => createWaybill({ url, apiKey: `wb_${name}` });
const raw = async (path: string, body?: string, key = 'wb_boss'): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { headers, ...(body !== undefined && { method: 'POST', body }) });
  return response.text();
};

it('the log has no payloads, tokens and keys, at whatever level, and however requests end', async () => {
  const queue = as('boss').queue('mail');
  await queue.define();
  await queue.enqueue({ PRIVATE }, { data: { PRIVATE } });
  const [claimed] = await queue.claim({ worker: 'w1', max: 1 });
  const error = { class: 'bug', message: PRIVATE, details: { PRIVATE } } as const;
  await as('boss').settle([
    { taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'fail', error } },
    { taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'succeed', result: PRIVATE } },
  ]);
  for (const body of [
    `{"payload":"${PRIVATE}"`,
    `{"unknown":"${PRIVATE}"}`,
    `{"payload":"${PRIVATE}\\u0000"}`,
    `{"payload":"${PRIVATE}\\ud800"}`,
  ])
    await raw('/v1/queues/mail/tasks', body);
  await raw(`/v1/queues/${PRIVATE}%00/tasks`, '{}');
  await raw(`/v1/tasks?queue=mail&cursor=${PRIVATE}`);
  expect(JSON.parse(await raw('/v1/queues', undefined, `wb_${PRIVATE}`))).toMatchObject({ code: 'UNAUTHENTICATED' });
  service.kill('SIGTERM');
  await service.ended;
  const log = service.output + service.errors;
  expect(log).toContain('Refused an API key');
  for (const secret of [PRIVATE, claimed!.token, claimed!.token.split('.')[1]!, 'wb_boss'])
    expect(log.includes(secret)).toBe(false);
  service = new ServiceProcess({ DATABASE_URL: database.url, WAYBILL_API_KEYS: JSON.stringify(KEYS) });
  url = await service.url();
});

it('nothing shows the random half of a token but the claim, and its repetition by the same holder', async () => {
  const queue = as('boss').queue('tokens');
  await queue.define();
  const { id } = await queue.enqueue('x');
  const claim = JSON.stringify({ worker: 'w1', claimId: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f' });
  const [claimed] = (JSON.parse(await raw('/v1/queues/tokens/claims', claim)) as { tasks: { token: string }[] }).tasks;
  const [fencing, random] = claimed!.token.split('.') as [string, string];
  // Version 4: all but six of the 128 bits are random.
  expect(random).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const shown = await Promise.all(
    [
      `tasks/${id}`,
      `tasks/${id}/history`,
      `tasks/${id}/why`,
      `tasks/${id}/graph`,
      'tasks?queue=tokens',
      'events',
      'workers',
      'system',
      'queues/tokens',
    ]
      .map((path) => raw(`/v1/${path}`))
      .concat(raw('/metrics')),
  );
  expect(shown.join('\n')).toContain(`"token":"${fencing}"`);
  expect(shown.filter((text) => text.includes(random))).toEqual([]);
  expect(await raw('/v1/queues/tokens/claims', claim, 'wb_other')).toContain('CLAIM_ID_REUSED');
  expect(await raw('/v1/queues/tokens/claims', claim)).toContain(random);
});

it('the fencing half alone settles nothing', async () => {
  const queue = as('boss').queue('halves');
  await queue.define();
  await queue.enqueue('x');
  const [claimed] = await queue.claim({ worker: 'w1', max: 1 });
  const token = `${claimed!.token.split('.')[0]}.019a7f3e-6c1b-4d44-9e21-5a0c1b2d3e4f`;
  expect(await raw(`/v1/tasks/${claimed!.taskId}/succeed`, JSON.stringify({ token }))).toContain('LEASE_LOST');
});
