import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { configFor, isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { environmentOf, erasing } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';

const KEYS = erasing();

let service: RunningService;
let folder: string;
/** Of an erased task. */
let history: readonly { readonly id: string; readonly type: string; readonly data: unknown }[];
/** Of the log after the erasure. */
let seal: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-forged-'));
  service = await startService({ notaryDir: join(folder, 'keys'), ...KEYS });
  const { waybill } = service;
  const mail = waybill.queue('mail');
  await mail.define({ retry: { maxAttempts: 1 } });
  const { id } = await mail.enqueue({ iban: 'DE' });
  const [claimed] = await mail.claim({ worker: 'w' });
  const error = { message: 'no paper', class: 'business' } as const;
  await waybill.settle([{ taskId: id, token: claimed!.token, verdict: { type: 'fail', error } }]);
  const { id: order } = await waybill.erase({ task: id }, 'Art. 17', { abortOpen: true });
  await until('the erasure to end', async () => (await waybill.task(order!).get()).finishedAt);
  await waybill.erasureCertificate(order!);
  seal = readFileSync(join(folder, 'keys', 'seal'), 'utf8');
  await service.pool.query(
    'create table kept_segments as table segments; create table kept_keys as table content_keys',
  );
  history = await read(id);
});
afterEach(async () => {
  await service.pool
    .query(`update segments s set private = k.private, salts = k.salts from kept_segments k where k.position = s.position;
    update content_keys c set rests = k.rests from kept_keys k where k.stream = c.stream`);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const read = async (id: string) =>
  (await service.waybill.task(id).history()).map(({ id: event, type, data }) => ({ id: event, type, data }));

const taskId = async (): Promise<string> => (await service.waybill.tasks.page({ queue: 'mail' })).items[0]!.id;

async function findings(): Promise<readonly string[]> {
  const found: string[] = [];
  await verifyLog(environmentOf(Object.assign(configFor(service.databaseUrl), KEYS)), {
    key: readFileSync(join(folder, 'keys', 'key.pub'), 'utf8').trim(),
    seals: [{ name: 'seal', text: seal }],
    witnesses: [],
    onFinding: ({ kind }) => found.push(kind),
  });
  return found;
}

async function changed(sql: string): Promise<void> {
  expect((await service.pool.query(sql)).rowCount).toBeGreaterThan(0);
}

const OTHER_GROUP = 'g000000000000000';
const FORGED = '{"error":{"message":"(erased)","class":"lost"}}';

/** By what somebody who rules the database can write. `event`: the id of the first event of the task. */
const ATTACKS: Readonly<Record<string, (event: string) => string>> = isElsewhere
  ? {
      'another class': () =>
        `update content_keys set rests = replace(rests::text, '"business"', '"transient"')::jsonb where rests::text like '%business%'`,
      'a member of the public half': () =>
        `update content_keys set rests = (select jsonb_object_agg(key, value || '{"worker":"mallory"}') from jsonb_each(rests)) where rests::text like '%business%'`,
      'an error where there was none': (event) =>
        `update content_keys set rests = rests || jsonb_build_object('${event}', '${FORGED}'::jsonb) where rests::text like '%business%'`,
    }
  : {
      'another class': () =>
        `update segments set private = replace(private, '"business"', '"transient"') where private like '#%"business"%'`,
      'an error where there was none': (event) =>
        `update segments set private = private || '${FORGED}' where ids[1] = '${event}'`,
      'a salt that is not zeros': (event) =>
        `update segments set salts = set_byte(salts, 5, 1) where ids[1] = '${event}'`,
      'salts of more halves than there are': () =>
        `update segments set salts = salts || salts where position = (select min(position) from segments where private like '{%')`,
      'salts without halves': () =>
        `update segments set salts = '\\x00' where position = (select min(position) from segments where private is null)`,
    };

describe('what is left of an erased half', () => {
  it('is as the erasure left it', async () => {
    expect(await findings()).toEqual([]);
    expect(JSON.stringify(history)).toContain('"message":"(erased)","class":"business"');
  });

  it.each(Object.keys(ATTACKS))('H-31 shows %s, and nobody reads it', async (what) => {
    await changed(ATTACKS[what]!(history[0]!.id));
    expect(await findings()).toContain('ALTERED');
    expect(await read(await taskId())).toEqual(history);
  });

  it('has a group of failures that nobody can check', async () => {
    await changed(
      isElsewhere
        ? `update content_keys set rests = regexp_replace(rests::text, 'g[0-9a-f]{15}', '${OTHER_GROUP}', 'g')::jsonb where rests::text like '%business%'`
        : `update segments set private = regexp_replace(private, 'g[0-9a-f]{15}', '${OTHER_GROUP}') where private like '#%group%'`,
    );
    expect(await findings()).toEqual([]);
    expect(JSON.stringify(await read(await taskId()))).toContain(OTHER_GROUP);
  });
});
