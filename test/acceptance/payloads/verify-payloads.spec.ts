import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { digestOf } from '../../../src/application/kernel/payload-store.port.js';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { configFor, type RunningService, startService } from '../../support/running-service.js';
import { environmentOf } from '../../support/subject-keys.js';

const LARGE = { text: 'quetzal '.repeat(500) };
const SHA_256 = digestOf(JSON.stringify(LARGE));

let service: RunningService;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-payloads-'));
  service = await startService({ payloadStore: folder });
  await service.waybill.queue('scans').define({ payloadsOutsideAboveBytes: 1_024 });
  const { id } = await service.waybill.queue('scans').enqueue(LARGE);
  file = join(folder, new Date().toISOString().slice(0, 10), id, SHA_256);
  await service.waybill.queue('scans').enqueue(LARGE);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

async function verified(store: string | undefined = folder) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const env = { ...environmentOf(configFor(service.databaseUrl)), WAYBILL_PAYLOAD_STORE: store };
  const code = await main(['verify', '--payloads'], {
    stdin: Readable.from([]),
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr,
    env,
    verifyLog,
  });
  for (const stream of [stdout, stderr]) stream.end();
  return { code, said: (await said).join('\n') };
}

it('waybill verify --payloads says how many payloads it has read', async () => {
  const { code, said } = await verified();

  expect([code, said]).toEqual([
    3,
    expect.stringContaining('and 2 payloads outside the log: the log agrees with itself'),
  ]);
});

it('waybill verify --payloads says which payload was changed or is gone, and ends with 1', async () => {
  const whole = JSON.stringify(LARGE);
  await writeFile(file, '{"text":"forged"}');
  const changed = await verified();
  await rm(file);
  const gone = await verified();
  await writeFile(file, whole);

  expect(changed).toEqual({ code: 1, said: expect.stringMatching(/^PAYLOAD_CHANGED at \d+: the payload /m) });
  expect(gone).toEqual({ code: 1, said: expect.stringMatching(/^PAYLOAD_MISSING at \d+: the payload /m) });
  expect(gone.said).toContain(SHA_256);
});

it('waybill verify --payloads takes no empty folder for payloads that are gone, and ends with 2', async () => {
  await rename(folder, `${folder}-away`);
  const away = await verified();
  await rename(`${folder}-away`, folder);
  const empty = await verified(await mkdtemp(join(tmpdir(), 'waybill-empty-')));

  expect(away).toEqual({ code: 2, said: expect.stringContaining('Expected the payload store to answer') });
  expect(empty).toEqual({ code: 2, said: expect.not.stringContaining('PAYLOAD_MISSING') });
});
