import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { type S3Options, S3Payloads } from '../../src/infrastructure/payloads/s3-payloads.js';

/** A server that speaks the API of Amazon S3 and checks signatures, with one bucket. */
export interface S3Server {
  readonly url: string;
  /** A client of the bucket, below a prefix of its own. */
  payloads(more?: Partial<S3Options>): S3Payloads;
  /** Also if it has stopped. */
  stop(): Promise<void>;
}

const BUCKET = 'payloads';
/** The only ones that the server knows. */
export const S3_KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const;

let prefixes = 0;

export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'waybill-s3-'));
  const settings = {
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  };
  const server = new S3rver(settings);
  const { port } = (await server.run()) as AddressInfo;
  let stopped: Promise<void> | null = null;
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    url: `s3://${BUCKET}/own?endpoint=${endpoint}`,
    payloads: (more) =>
      new S3Payloads({
        endpoint,
        bucket: BUCKET,
        prefix: `own-${++prefixes}/`,
        region: 'us-east-1',
        ...S3_KEY,
        ...more,
      }),
    stop: () => (stopped ??= server.close().then(() => rm(directory, { recursive: true }))),
  };
}
