import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type LogView, type Waybill } from '@waybill/client';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../../../src/bootstrap/config.js';
import { openToIndex } from '../../../src/bootstrap/event-store.js';
import { type Server, startServer } from '../../../src/bootstrap/server.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { IndexRebuild } from '../../../src/infrastructure/dispatch-index/index-rebuild.js';
import { EventStoreDbLog } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { externalLog } from '../../../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import { createLog } from '../../../src/infrastructure/telemetry/pino-logger.js';
import { moveEvents } from '../../../src/maintenance/move-events.js';
import { type ToldFinding, verifyLog } from '../../../src/maintenance/verify-log.js';
import { verifyProof } from '../../../src/maintenance/verify-proof.js';
import { EventStoreDbFixture } from '../../support/eventstoredb/fixture.js';
import { ProcessClock } from '../../support/eventstoredb/open-log.js';
import { copyOfDatabase, createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { TestWitness } from '../../support/test-witness.js';
import { until } from '../../support/until.js';

const REASON = 'the disk failed, and the backup was restored';

describe('a log that was sealed', () => {
  const databases: TestDatabase[] = [];
  let folder: string;
  let witness: TestWitness;
  let server: Server | null = null;
  let waybill: Waybill;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-losses-'));
    witness = await TestWitness.start('w.example');
  });
  afterEach(() => stop());
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
    witness.stop();
    await rm(folder, { recursive: true });
  });

  async function database(make: () => Promise<TestDatabase> = createTestDatabase): Promise<TestDatabase> {
    databases.push(await make());
    return databases.at(-1)!;
  }

  const configOf = ({ url }: TestDatabase, dir: string, eventStoreUrl?: string): Config =>
    Object.assign(new Config(), {
      databaseUrl: url,
      port: 0,
      notaryDir: join(folder, dir),
      witnesses: [witness.options],
      ...(eventStoreUrl && { eventStoreUrl }),
    });

  async function start(config: Config): Promise<void> {
    server = await startServer(config, createLog({ level: 'fatal', format: 'text' }));
    waybill = createWaybill({ url: server.url!, actor: 'ann' });
  }

  async function stop(): Promise<void> {
    await server?.stop();
    server = null;
  }

  const logOnce = (what: string, passes: (log: LogView) => boolean): Promise<LogView> =>
    until(what, async () => {
      const log = await waybill.log.get();
      return passes(log) ? log : null;
    });

  /** What is sealed with a new task in it. */
  async function sealed(): Promise<LogView> {
    const { position } = await waybill.queue('mail').enqueue(1);
    return logOnce('a seal', ({ seal }) => seal !== null && BigInt(seal.position) >= BigInt(position));
  }

  const verified = async (config: Config, log: LogView) => (await verification(config, log)).kinds;

  /** What is found in a log with a seal, and who said that it goes on under this name. */
  async function verification(config: Config, { key, seal }: LogView) {
    const found: ToldFinding[] = [];
    const { databaseUrl, eventStoreUrl } = config;
    const env = { DATABASE_URL: databaseUrl!, ...(eventStoreUrl && { EVENT_STORE_URL: eventStoreUrl }) };
    const seals = [{ name: 'kept', text: seal!.note }];
    const onFinding = (one: ToldFinding) => void found.push(one);
    const result = await verifyLog(env, { key, seals, witnesses: [], onFinding });
    if ('refused' in result) throw new Error(result.refused);
    expect(result.findings).toBe(found.length);
    return { kinds: found.map(({ kind }) => kind), before: result.before };
  }

  const lossesOf = async () => {
    const events = [];
    for await (const { data, envelope } of waybill.events({ category: 'notary' })) events.push({ data, envelope });
    return events;
  };

  it('H-41 goes on after a loss that somebody accepted: the new log names the last seal of the old, whose proofs verify', async () => {
    const first = configOf(await database(), 'restored');
    await start(first);
    await waybill.queue('mail').define();
    const early = await sealed();
    const { id } = await waybill.queue('mail').enqueue('kept');
    const proof = JSON.stringify(await waybill.task(id).proof());
    await stop();
    const restored = configOf(await database(() => copyOfDatabase({ url: first.databaseUrl! })), 'restored');
    await start(first);
    const last = await sealed();
    await stop();

    await start(restored);
    const { size } = last.seal!;
    const lost = await logOnce('the loss', (log) => log.lost !== null);
    expect(lost).toMatchObject({ state: 'stopped', lost: { size }, before: null });
    await expect(waybill.log.acceptLoss(size + 1, REASON)).rejects.toMatchObject({ code: 'LOSS_NOT_FOUND' });
    const preview = await waybill.preview((as) => as.log.acceptLoss(size, REASON));
    expect(preview.changes).toMatchObject([{ events: [{ type: 'LogLossAccepted' }] }]);
    expect(await lossesOf()).toEqual([]);

    const { position } = await waybill.log.acceptLoss(size, REASON);
    const [before, after] = [last.name, `${last.name!}/2`];
    const goesOn = await logOnce('the next log', (log) => log.name === after && log.seal?.witnesses.length === 1);
    expect(goesOn).toMatchObject({ state: 'sealing', lost: null });
    expect(goesOn.before).toMatchObject({ name: before, size, note: lost.lost!.note, position, by: 'ann' });
    expect(BigInt(goesOn.seal!.position)).toBeGreaterThanOrEqual(BigInt(position!));
    expect(lost.lost!.note.split('\n\n')[0]).toBe(last.seal!.note.split('\n\n')[0]);
    expect(await lossesOf()).toMatchObject([
      { data: { log: before, size, seal: lost.lost!.note, next: after }, envelope: { actor: 'ann', reason: REASON } },
    ]);
    expect(await readFile(join(folder, 'restored/key.1.pub'), 'utf8')).toBe(`${last.key}\n`);
    expect(await readFile(join(folder, 'restored/key.pub'), 'utf8')).toBe(`${goesOn.key}\n`);

    expect(verifyProof(proof, early.key!)).toMatchObject({ log: before });
    expect(await verification(restored, goesOn)).toMatchObject({
      kinds: [],
      before: { type: 'LogLossAccepted', log: before, position, by: 'ann', reason: REASON },
    });
    expect(await verification(restored, early)).toEqual({ kinds: [], before: null });
    expect((await verified(restored, last))[0]).toMatch(/^(SHORTER|CONFLICT)$/);
    await stop();
    await start(restored);
    expect(await sealed()).toMatchObject({ name: after });
    const names = [];
    for await (const { note } of waybill.log.seals({ limit: 1 })) names.push(note.split('\n')[0]);
    expect(names.slice(0, 2)).toEqual([after, after]);
    expect(names.at(-1)).toBe(before);
  });

  it('H-42 goes on in EventStoreDB under the next name, which names its last seal', async () => {
    const first = configOf(await database(), 'copied');
    await start(first);
    await waybill.queue('mail').define();
    const last = await sealed();
    await stop();
    const target = await EventStoreDbFixture.start();
    try {
      const moving = { onProgress: () => undefined, log: () => undefined };
      const report = await moveEvents({ ...moving, config: configOf({ ...databases.at(-1)! }, 'copied', target.url) });
      expect(report).toMatchObject({ equal: true });
      const there = configOf(await database(), 'copied', target.url);
      await makeIndex(there);
      await start(there);
      const { lost } = await logOnce('the loss', (log) => log.lost !== null);
      await waybill.log.acceptLoss(lost!.size, 'moved to EventStoreDB');
      const next = await logOnce('the next log', (log) => log.name === `${last.name!}/2` && log.seal !== null);
      expect(next.before).toMatchObject({ name: last.name, note: lost!.note, reason: 'moved to EventStoreDB' });
      expect(lost!.note.split('\n\n')[0]).toBe(last.seal!.note.split('\n\n')[0]);
      expect(await verification(there, next)).toMatchObject({ kinds: [], before: { log: last.name, by: 'ann' } });
    } finally {
      await stop();
      await target.stop();
    }
  });
});

async function makeIndex({ databaseUrl, eventStoreUrl, eventStorePrefix }: Config): Promise<void> {
  const options = { databaseUrl: databaseUrl!, eventStoreUrl, eventStorePrefix, log: () => undefined };
  const store = (await openToIndex(options))!;
  const pool = new PostgresPool({ url: databaseUrl!, size: 2 });
  const log = new EventStoreDbLog({ ...store, clock: new ProcessClock() });
  await new IndexRebuild(pool, externalLog({ id: store.id, log, reactions: ['clear-failures-on-success'] })).run();
  await log.close();
  await pool.end();
}
