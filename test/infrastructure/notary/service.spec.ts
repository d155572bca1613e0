import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCheckpoint } from '../../../src/domain/seals/checkpoint.js';
import { parseNote } from '../../../src/domain/seals/note.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

describe('a service with a folder for the notary', () => {
  let service: RunningService;
  let folder: string;
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'waybill-notary-')), 'keys');
    service = await startService({ notaryDir: folder });
  });
  afterAll(async () => {
    await service.stop();
    await rm(join(folder, '..'), { recursive: true });
  });

  const sealedSize = (): Promise<number> =>
    readFile(join(folder, 'seal'), 'utf8').then(
      (seal) => parseCheckpoint(parseNote(seal).text).size,
      () => 0,
    );

  it('seals its log, and goes on after a restart', async () => {
    await service.waybill.queue('mail').define();
    const first = await until('a seal', async () => (await sealedSize()) || null);
    await service.restart();
    await service.waybill.queue('mail').pause();
    const next = await until('a later seal', async () => ((await sealedSize()) > first ? sealedSize() : null));
    const { rows } = await service.pool.query<{ size: number }>('select max(size)::int as size from seals');
    expect(rows[0]!.size).toBeGreaterThanOrEqual(next);
  });
});
