import { createWaybill } from '@waybill/client';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { until } from '../../support/until.js';
import { ArchivedPostgres } from '../archived-postgres.js';
import { PLAIN } from '../load.js';
import type { Cell } from './cell.js';
import type { Scene } from './scene.js';

/**
 * The machine of the database dies, and the database is restored as it was at a moment: what was acknowledged before is there, and
 * nothing that began afterwards. The notary goes on once somebody accepts the loss.
 */
export async function restores(): Promise<Cell> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-restored-'));
  let postgres: ArchivedPostgres;
  const away: number[] = [];
  return {
    postgres: async () => (postgres = await ArchivedPostgres.start()),
    load: { services: [{ env: { WAYBILL_NOTARY_DIR: folder } }, {}] },
    fault: async (scene) => {
      await postgres.backUp();
      const before = await sealedTask(scene);
      const target = new Date();
      const after = await sealedTask(scene);
      await postgres.archived();
      const since = performance.now();
      await postgres.destroy();
      await scene.restored(target, async () => {
        await postgres.restore(target);
        const key = await readFile(join(folder, 'key.pub'), 'utf8');
        expect(await found(scene, key, before.seal)).toEqual([]);
        expect(await found(scene, key, after.seal)).toEqual(['SHORTER']);
        expect((await scene.run.log()).filter(({ recordedAt }) => new Date(recordedAt) > target)).toEqual([]);
      });
      await scene.enqueue(1);
      away.push(performance.now() - since);
      const waybill = scene.run.client();
      expect(await waybill.task(before.id).get()).toMatchObject({ id: before.id });
      await expect(waybill.task(after.id).get()).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
      await acceptLoss(scene);
    },
    away: () => Math.round(Math.max(...away)),
    close: () => rm(folder, { recursive: true }),
  };
}

/** A new task, and a seal of the log with it. */
async function sealedTask({ run }: Scene): Promise<{ readonly id: string; readonly seal: string }> {
  const waybill = run.client();
  const { id, position } = await waybill.queue(PLAIN).enqueue({ failures: 0 });
  const seal = await until('a seal of the task', async () => {
    const { seal: last } = await waybill.log.get();
    return last && BigInt(last.position) >= BigInt(position) ? last.note : null;
  });
  return { id, seal };
}

/** The kinds of what `waybill verify` finds. */
async function found({ run }: Scene, key: string, text: string): Promise<readonly string[]> {
  const kinds: string[] = [];
  const given = { key: key.trim(), seals: [{ name: 'seal', text }], witnesses: [] };
  const result = await verifyLog(
    { DATABASE_URL: run.databaseUrl },
    { ...given, onFinding: ({ kind }) => kinds.push(kind) },
  );
  if ('refused' in result) throw new Error(result.refused);
  return kinds;
}

/** Not a part of the history, which knows commands of tasks, queues and triggers. */
async function acceptLoss({ run }: Scene): Promise<void> {
  const waybill = createWaybill({ url: run.url });
  const { size } = await until('the notary to miss what it signed', async () => (await waybill.log.get()).lost);
  await waybill.log.acceptLoss(size, 'restored to a moment before');
}
