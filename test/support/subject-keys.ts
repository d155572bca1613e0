import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/bootstrap/config.js';
import { isElsewhere } from './running-service.js';

/** A file with new master keys, one a line. */
export function subjectKeyFile(keys = 1): string {
  const file = join(mkdtempSync(join(tmpdir(), 'waybill-subject-keys-')), 'keys');
  writeFileSync(file, Array.from({ length: keys }, () => `${randomBytes(32).toString('base64')}\n`).join(''));
  return file;
}

/** The settings of a service that can erase, wherever the events of this run are. */
export const erasing = (): Pick<Partial<Config>, 'subjectKeyFile'> =>
  isElsewhere ? { subjectKeyFile: subjectKeyFile() } : {};

/** Settings as a program finds them in its environment. */
export const environmentOf = ({
  databaseUrl,
  eventStoreUrl,
  eventStorePrefix,
  subjectKeyFile: file,
}: Partial<Config>) => ({
  DATABASE_URL: databaseUrl,
  EVENT_STORE_URL: eventStoreUrl,
  EVENT_STORE_PREFIX: eventStorePrefix,
  WAYBILL_SUBJECT_KEY_FILE: file,
});
