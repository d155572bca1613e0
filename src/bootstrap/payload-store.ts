import type { PayloadStore } from '../application/kernel/payload-store.port.js';
import { FolderPayloads } from '../infrastructure/payloads/folder-payloads.js';
import { S3Payloads } from '../infrastructure/payloads/s3-payloads.js';
import { bucketIn } from '../infrastructure/payloads/store-url.js';
import type { Config } from './config.js';

export type PayloadStoreOptions = Pick<Config, 'payloadStore' | 's3KeyId' | 's3Secret'>;

/** The store that the configuration names; null if it names none. */
export function payloadStoreOf({
  payloadStore,
  s3KeyId = '',
  s3Secret = '',
}: PayloadStoreOptions): PayloadStore | null {
  if (payloadStore === undefined) return null;
  const bucket = bucketIn(payloadStore);
  if (bucket === null) return new FolderPayloads(payloadStore);
  return new S3Payloads({ ...bucket, accessKeyId: s3KeyId, secretAccessKey: s3Secret });
}
