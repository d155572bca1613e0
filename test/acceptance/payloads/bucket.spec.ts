import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { uuidv7 } from 'uuidv7';
import { digestOf, type PayloadStore } from '../../../src/application/kernel/payload-store.port.js';
import { samplesIn } from '../../support/both-modes/player.js';
import { erased } from '../../support/erased.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { S3_KEY, type S3Server, startS3 } from '../../support/s3-server.js';
import { erasing } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

const LARGE = { text: 'quetzal '.repeat(500) };
const SHA_256 = digestOf(JSON.stringify(LARGE));

let s3: S3Server;
let service: RunningService;
/** The bucket of the service, by another client. */
let bucket: PayloadStore;
beforeAll(async () => {
  s3 = await startS3();
  bucket = s3.payloads({ prefix: 'own/' });
  const { accessKeyId: s3KeyId, secretAccessKey: s3Secret } = S3_KEY;
  service = await startService({ payloadStore: s3.url, s3KeyId, s3Secret, ...erasing() });
  await service.waybill.queue('scans').define({ payloadsOutsideAboveBytes: 1_024 });
});
afterAll(async () => {
  await service.stop();
  await s3.stop();
});

const stored = () => bucket.list(null, '9999-12-31', 9);

it('keeps large payloads in a bucket, gives them to workers, and deletes them with an erasure', async () => {
  const { id } = await service.waybill.queue('scans').enqueue(LARGE);
  expect(await stored()).toMatchObject([{ task: id, sha256: SHA_256 }]);

  expect(await service.waybill.queue('scans').claim({ worker: 'w' })).toMatchObject([{ taskId: id, payload: LARGE }]);
  await erased(service.waybill, { task: id });

  expect(await stored()).toEqual([]);
});

it('deletes by its sweeper what no event names', async () => {
  await bucket.put({ task: uuidv7(), sha256: SHA_256, day: '2020-01-01' }, JSON.stringify(LARGE));

  await service.restart();

  await until('the sweep', async () => ((await stored()).length === 0 ? true : null));
  const samples = samplesIn(await (await fetch(`${service.url}/metrics`)).text());
  expect(samples).toMatchObject({ waybill_payloads_swept_total: 1 });
});

it('refuses large payloads while its prefix lacks the mark, and tells no caller where the bucket is', async () => {
  await service.restart({ payloadStore: s3.url.replace('/own', '/slip') });

  expect(await refused()).toEqual(['PAYLOAD_STORE_UNAVAILABLE', expect.not.stringContaining('127.0.0.1')]);
  expect(await readiness()).toMatchObject(DEGRADED);
});

it('says that it is degraded while the server of the bucket takes connections and answers none', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await service.restart({ payloadStore: `s3://payloads/own?endpoint=http://127.0.0.1:${port}` });

  expect(await readiness()).toMatchObject({ ...DEGRADED, httpStatus: 200 });

  silent.close();
});

it('stays in rotation while the server of the bucket is down: it takes small payloads, refuses large ones, gives tasks back, and counts', async () => {
  await service.restart({ payloadStore: s3.url });
  const letters = service.waybill.queue('letters');
  await letters.define({ payloadsOutsideAboveBytes: 1_024 });
  const { id } = await letters.enqueue(LARGE);
  await s3.stop();

  const answers = [await refused(), await readiness()];
  const small = await letters.enqueue('small');
  const given = await letters.claim({ worker: 'w', max: 5, waitMs: 0 });

  expect(answers).toMatchObject([
    ['PAYLOAD_STORE_UNAVAILABLE', expect.not.stringContaining('127.0.0.1')],
    { ...DEGRADED, httpStatus: 200 },
  ]);
  expect(given).toMatchObject([{ taskId: small.id }]);
  expect(await service.waybill.task(id).get()).toMatchObject({ state: 'pending', attempt: 0 });
  const samples = samplesIn(await (await fetch(`${service.url}/metrics`)).text());
  expect(samples).toMatchObject({ 'waybill_payload_failures_total{code="PAYLOAD_STORE_UNAVAILABLE"}': 2 });
});

const DEGRADED = {
  status: 'degraded',
  details: { payloads: { status: 'degraded', message: expect.not.stringContaining('127.0.0.1') } },
};

async function readiness(): Promise<object> {
  const answer = await fetch(`${service.url}/healthz/ready`);
  return { ...((await answer.json()) as object), httpStatus: answer.status };
}

/** Of a large payload: the code, and all that the caller is told. */
async function refused(): Promise<readonly [string, string]> {
  const error = await service.waybill
    .queue('scans')
    .enqueue(LARGE, { retry: { attempts: 1 } })
    .catch((given: Error) => given.cause ?? given);
  const { code, problem } = await refusalOf(Promise.reject(error));
  return [code, JSON.stringify(problem)];
}
