import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLog } from '../../src/maintenance/verify-log.js';
import { sealViolations } from '../support/history/seals.js';
import { TestWitness } from '../support/test-witness.js';
import { until } from '../support/until.js';
import { type Crash, lastWords, SEALING_POINTS } from './crash-points.js';
import { freePort } from './ports.js';
import { Run } from './run.js';
import type { ServiceProcess } from './service-process.js';

describe.each(['SIGKILL', 'SIGSTOP'] as const)('%s of the notary', (signal) => {
  let run: Run;
  let waybill: Waybill;
  let witness: TestWitness;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-kills-'));
    [run, witness] = await Promise.all([Run.open(), TestWitness.start('w.example')]);
    await run.service({ env: { WAYBILL_ROLES: 'api,sweeper' } }).ready();
    waybill = run.client();
    await waybill.queue('items').define({});
    const first = await notary();
    await sealed();
    await first.kill();
  });
  afterAll(async () => {
    await run.close();
    witness.stop();
    await rm(folder, { recursive: true });
  });

  const notary = async (crash?: Crash): Promise<ServiceProcess> => {
    const witnesses = JSON.stringify([witness.options]);
    const env = { WAYBILL_ROLES: 'projector', WAYBILL_NOTARY_DIR: folder, WAYBILL_WITNESSES: witnesses };
    return run.service({ port: await freePort(), env, ...(crash && { crash }) });
  };

  /** Resolves when a witnessed seal covers what was just given. */
  async function sealed(): Promise<void> {
    const { position } = await waybill.queue('items').enqueue(1);
    await until('a seal', async () => {
      const { seal } = await waybill.log.get();
      return seal !== null && BigInt(seal.position) >= BigInt(position!) && seal.witnesses.length === 1 ? seal : null;
    });
  }

  async function findings(): Promise<unknown> {
    const [key, text] = await Promise.all(['key.pub', 'seal'].map((file) => readFile(join(folder, file), 'utf8')));
    const seals = [{ name: 'seal', text: text! }];
    const env = { ...run.storeEnv, DATABASE_URL: run.databaseUrl };
    return verifyLog(env, { key: key!.trim(), seals, witnesses: [], onFinding: () => undefined });
  }

  /** The sizes of which the witness saw two roots, under whichever key. It sees every signature before anybody else does. */
  function signedTwice(): readonly number[] {
    const roots = new Map<number, Set<string>>();
    for (const { size, root } of witness.asked)
      roots.set(size, (roots.get(size) ?? new Set()).add(Buffer.from(root).toString('hex')));
    return [...roots].flatMap(([size, all]) => (all.size > 1 ? [size] : []));
  }

  /** The first record is of the last seal, and the second one begins the next log. */
  const ENDING = SEALING_POINTS.flatMap((point) =>
    (point.endsWith('-tree') ? [1] : [1, 2]).map((passage) => [point, passage] as const),
  );

  it.each(ENDING)(
    'H-41 ends the log of a retired key, once, and another one goes on: %s, time %i',
    async (point, passage) => {
      const crash: Crash = { point, passage, signal };
      const { name, key } = await waybill.log.get();
      await waybill.log.newKey(name!, 'stolen');
      const stopped = await notary(crash);
      await until(lastWords(crash), () => Promise.resolve(stopped.lines.includes(lastWords(crash)) || null));
      const other = await notary();
      await sealed();
      if (signal === 'SIGSTOP') stopped.signal('SIGCONT');
      await sealed();
      await Promise.all([stopped.kill(), other.kill()]);
      const log = await waybill.log.get();
      expect([log.before?.name, log.before?.why]).toEqual([name, 'newKey']);
      expect(log.key).not.toBe(key);
      const own = witness.asked.filter(({ origin }) => origin === name).map(({ size }) => size);
      expect(Math.max(...own)).toBe(log.before!.size);
      expect(signedTwice()).toEqual([]);
      expect(await findings()).toMatchObject({ findings: 0, seals: 1 });
      expect([...sealViolations(await run.history())]).toEqual([]);
    },
  );

  it.each(SEALING_POINTS)('H-37 signs no two roots for one size, and another one goes on: %s', async (point) => {
    const crash: Crash = { point, passage: 1, signal };
    await waybill.queue('items').enqueue('before');
    const stopped = await notary(crash);
    await until(lastWords(crash), () => Promise.resolve(stopped.lines.includes(lastWords(crash)) || null));
    const other = await notary();
    await sealed();
    if (signal === 'SIGSTOP') stopped.signal('SIGCONT');
    await sealed();
    await Promise.all([stopped.kill(), other.kill()]);
    expect(signedTwice()).toEqual([]);
    expect(await findings()).toMatchObject({ findings: 0, seals: 1 });
    expect([...sealViolations(await run.history())]).toEqual([]);
  });
});
