import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import type { LeaderTerm } from '../../../src/application/kernel/leader-term.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { EventStoreDbLeaves } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import type { LogLeaves } from '../../../src/infrastructure/notary/log-leaves.port.js';
import { LogTree } from '../../../src/infrastructure/notary/log-tree.js';
import { Notary } from '../../../src/infrastructure/notary/notary.js';
import { NotaryNotice } from '../../../src/infrastructure/notary/notary-notice.js';
import { PostgresLeaves } from '../../../src/infrastructure/notary/postgres-leaves.js';
import { BUILD } from '../../../src/bootstrap/functions.js';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { defineQueue, enqueue, item, succeeded } from '../../support/events.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

async function verify(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const out = stdout as unknown as NodeJS.WriteStream;
  const given = { stdin: Readable.from([]), stdout: out, stderr, env, verifyLog };
  const code = await main(['verify', ...args], given);
  stdout.end();
  stderr.end();
  const [printed, told] = await said;
  return { code, out: printed, err: told };
}

/** A notary of its own folder, which seals the whole log when it is told to. */
class Sealer {
  private constructor(
    readonly folder: string,
    private readonly notary: Notary,
    private readonly leaders: Leaders,
    private readonly term: LeaderTerm,
  ) {}

  static async begin(postgres: PostgresFixture, leaves: LogLeaves, folder?: string): Promise<Sealer> {
    const path = folder ?? (await mkdtemp(join(tmpdir(), 'waybill-verify-')));
    const leaders = new Leaders(postgres.pool);
    const { term } = (await leaders.tryToLead('notary'))!;
    const { pool } = postgres;
    const parts = { leaves, tree: new LogTree(pool), notice: new NotaryNotice(pool), folder: path };
    return new Sealer(path, new Notary(parts, leaders), leaders, term);
  }

  get key(): string {
    return join(this.folder, 'key.pub');
  }

  /** Seals, and keeps a copy of the seal under another name. */
  async seal(name: string): Promise<string> {
    while ((await this.notary.round(this.term)) === 0);
    await copyFile(join(this.folder, 'seal'), join(this.folder, name));
    return join(this.folder, name);
  }

  end(): Promise<void> {
    return this.leaders.close();
  }
}

const TASK = '019ab000-0000-7000-8000-000000000001';
const quiet = (): void => void jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);

describe('verify, with the events in Postgres,', () => {
  let fixture: PostgresFixture;
  let sealer: Sealer;
  /** Kept in the middle of the log, and at its end. */
  let seals: readonly string[];

  beforeAll(async () => {
    quiet();
    fixture = await openPostgresStore();
    const { store, pool } = fixture;
    sealer = await Sealer.begin(fixture, new PostgresLeaves(pool));
    await store.append([defineQueue('mail')]);
    await store.append([enqueue('mail', { payload: { to: 'ann' } }, undefined, TASK), enqueue('mail', { payload: 2 })]);
    const early = await sealer.seal('early');
    await store.append([item(taskStream(TASK), 0, [succeeded('mail', '1', { result: 'sent' })])]);
    for (let at = 0; at < 4; at++) await store.append([enqueue('mail', { payload: { at } })]);
    seals = [early, await sealer.seal('late')];
    await pool.query('create table kept as table segments; create table kept_tiles as table seal_tiles');
  });
  afterEach(() =>
    fixture.pool.query(
      `truncate segments, seal_tiles; insert into segments select * from kept; insert into seal_tiles select * from kept_tiles`,
    ),
  );
  afterAll(async () => {
    await sealer.end();
    await rm(sealer.folder, { recursive: true });
    await fixture.close();
  });

  const run = (...args: readonly string[]) => verify({ DATABASE_URL: fixture.url }, ...args);
  const withSeals = (...more: readonly string[]) =>
    run('--key', sealer.key, ...seals.flatMap((seal) => ['--seal', seal]), ...more);
  const attack = (sql: string) => fixture.pool.query(sql);

  it('finds nothing in a log that nobody changed', async () => {
    expect(await withSeals()).toEqual({
      code: 0,
      out: '',
      err: expect.stringMatching(
        /^Verified 7 leaves with the root \S+=: the log is what the 2 seals say, and what came later\.\n$/,
      ),
    });
  });

  it('goes past the seals, to what came later', async () => {
    await fixture.store.append([enqueue('mail', { payload: 'late' })]);
    expect(await withSeals()).toMatchObject({ code: 0, err: expect.stringContaining('Verified 8 leaves') });
  });

  it('changes nothing in a database of an older build', async () => {
    await attack(`alter schema ${BUILD.schema} rename to older`);
    expect(await run()).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^Expected the database to have version \d+ .+ but it has functions of another build; run/,
      ),
    });
    const { rows } = await attack(`select to_regnamespace('${BUILD.schema}') as installed`);
    expect(rows).toEqual([{ installed: null }]);
    await attack(`alter schema older rename to ${BUILD.schema}`);
  });

  it('says without a seal that the log agrees with itself only, with code 3', async () => {
    expect(await run('--key', sealer.key)).toMatchObject({
      code: 3,
      err: expect.stringContaining('the log agrees with itself; nothing shows that it is the log of yesterday'),
    });
  });

  const OTHER: Readonly<Record<string, string>> = {
    category: `'queue'`,
    type: `'TaskDeleted'`,
    version: '2',
    meta: `replace(meta, 'tester', 'nobody')`,
    shared: `replace(coalesce(shared, '{}'), '}', ' }')`,
    streams: 'array[gen_random_uuid()] || streams[2:]',
    revisions: 'array[7]',
    ids: 'array[gen_random_uuid()] || ids[2:]',
    data: `replace(data, '}', ' }')`,
    private: `replace(private, 'ann', 'bob')`,
    salts: `set_byte(salts, 3, 255 - get_byte(salts, 3))`,
    digest: 'sha256(digest)',
    recorded_at: `recorded_at - interval '1 microsecond'`,
    prevs: 'array[1]',
  };

  it.each(Object.keys(OTHER))('finds a changed %s, at its position', async (column) => {
    await attack(`update segments set ${column} = ${OTHER[column]} where position = 2`);
    const { code, out } = await withSeals();
    expect([code, out.split('\n')[0]]).toEqual([1, expect.stringMatching(/^ALTERED at 2: /)]);
  });

  it('finds those of its columns even without a seal, if nobody changed the tree', async () => {
    await attack(`update segments set recorded_at = recorded_at - interval '1 hour' where position = 2`);
    expect(await run()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^ALTERED at 2: the leaf 'waybill 1 2 2 /),
    });
  });

  it('finds a private half that was emptied', async () => {
    await attack(`update segments set private = E'\\n' where position = 2`);
    expect(await withSeals()).toMatchObject({ code: 1, out: expect.stringMatching(/^ALTERED at 2: the text is not/) });
  });

  it('finds what no erasure leaves of a half', async () => {
    await attack(`select * from waybill_erase(array[2::bigint], array['{"payload":{"to":"bob"}}'])`);
    const { code, out } = await withSeals();
    expect([code, out.split('\n')[0]]).toEqual([1, expect.stringMatching(/^ALTERED at 2: /)]);
  });

  it('knows all columns of a segment', async () => {
    const { rows } = await fixture.pool.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'segments'`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(OTHER), 'n', 'position'].sort());
  });

  it.each([
    ['n', 'update segments set n = 1 where position = 2'],
    ['position', 'update segments set position = 200 where position = 8'],
    ['the place of a deleted event', 'delete from segments where position = 4'],
  ])('finds a gap from %s', async (_, sql) => {
    await attack(sql);
    expect(await withSeals()).toMatchObject({ code: 1, out: expect.stringMatching(/^GAP at /m) });
  });

  /** All that a superuser can do who has not the key. */
  const DIGESTS_ANEW = `update segments s set digest = waybill_digest(category, type, version, meta, shared, streams, revisions, ids, data, private, salts)`;

  it('finds an event that was put in, and the later ones moved', async () => {
    await attack(`update segments set position = position + 100 where position >= 5;
      insert into segments select 5, n, category, type, version, recorded_at, meta, shared, array[gen_random_uuid()], revisions, prevs,
        array[gen_random_uuid()], data, private, salts, digest from segments where position = 105;
      update segments set position = position - 99 where position > 100; ${DIGESTS_ANEW}`);
    const { code, out } = await withSeals();
    expect([code, out]).toEqual([1, expect.stringMatching(/^ALTERED at 5: the leaf/)]);
  });

  it('finds two events that were swapped, with everything but the tree made anew', async () => {
    await attack(`update segments s set data = o.data, private = o.private, salts = o.salts from segments o
      where s.position in (5, 6) and o.position = 11 - s.position; ${DIGESTS_ANEW}`);
    expect(await withSeals()).toMatchObject({ code: 1, out: expect.stringMatching(/^ALTERED at 5: the leaf/) });
  });

  it.each([
    ['cut at its tail', 'delete from segments where position >= 7'],
    ['set back, with its tree', 'delete from segments where position >= 4; truncate seal_tiles'],
  ])('finds a log that was %s with a seal, which it prints', async (_, sql) => {
    await attack(sql);
    const late = await readFile(seals[1]!, 'utf8');
    expect(await withSeals()).toMatchObject({ code: 1, out: expect.stringContaining(`SHORTER: the log has `) });
    expect((await withSeals()).out).toContain(late);
  });

  it('finds a log that was made anew with everything, also the seals with the key of the notary', async () => {
    await attack(
      `update segments set private = replace(private, 'ann', 'bob') where position = 2; ${DIGESTS_ANEW}; truncate log_tree, seal_tiles, seals`,
    );
    const thief = await mkdtemp(join(tmpdir(), 'waybill-thief-'));
    for (const file of ['key.pem', 'key.pub']) await copyFile(join(sealer.folder, file), join(thief, file));
    const [name] = (await readFile(seals[0]!, 'utf8')).split('\n');
    await writeFile(join(thief, 'signed.0'), `${name}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n`);
    await sealer.end();
    const forger = await Sealer.begin(fixture, new PostgresLeaves(fixture.pool), thief);
    const forged = await forger.seal('forged');
    await forger.end();
    expect(await run('--key', sealer.key, '--seal', forged)).toMatchObject({ code: 0 });
    const { code, out } = await run('--key', sealer.key, '--seal', forged, '--seal', seals[1]!);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^CONFLICT: the first 7 leaves have the root .+ but this was sealed:\n/),
    ]);
    expect(out).toContain(await readFile(seals[1]!, 'utf8'));
    await rm(thief, { recursive: true });
  });

  it('can do without Waybill what the guide shows: openssl takes the signature, and none of another text', async () => {
    const [commands, cwd] = [commandsUnder('Without Waybill'), sealer.folder];
    const openssl = () => spawnSync('bash', ['-c', commands], { cwd, encoding: 'utf8' });
    expect(openssl()).toMatchObject({ status: 0, stdout: expect.stringContaining('Signature Verified Successfully') });
    const seal = await readFile(join(cwd, 'seal'), 'utf8');
    await writeFile(join(cwd, 'seal'), seal.replace('\n7\n', '\n8\n'));
    expect(openssl()).toMatchObject({ status: 1 });
    await writeFile(join(cwd, 'seal'), seal);
  });

  it('finds a backdated event without a seal or a tree, once for all that follows it, and none that is a minute late', async () => {
    const back = (by: string) =>
      attack(
        `truncate seal_tiles; update segments set recorded_at = recorded_at - interval '${by}' where position > 5`,
      );
    await back('50 seconds');
    expect(await run()).toMatchObject({ code: 3 });
    await back('50 seconds');
    const { code, out } = await run();
    expect([code, out.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^TIME_BACK at 6: it was recorded at 20/)],
    ]);
  });

  it('does not look at rows that follow from the log', async () => {
    await attack(`insert into log_times values (0, 5, now(), now())`);
    expect(await withSeals()).toMatchObject({ code: 0 });
    await attack('truncate log_times');
  });

  it('refuses seals without a key, of another key, with another text, and what is none', async () => {
    const other = join(sealer.folder, 'other');
    expect(await run('--seal', seals[0]!)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected --key with --seal'),
    });
    await writeFile(other, 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    expect(await run('--key', other, '--seal', seals[0]!)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected a signature of example.com/foo'),
    });
    await writeFile(other, (await readFile(seals[0]!, 'utf8')).replace('\n2\n', '\n3\n'));
    expect(await run('--key', sealer.key, '--seal', other)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected the text that '),
    });
    await writeFile(other, 'nothing');
    expect(await run('--key', sealer.key, '--seal', other)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected a text, an empty line and signatures'),
    });
    expect(await run('--key', join(sealer.folder, 'nowhere'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('ENOENT'),
    });
  });
});

describe('verify, with the events in EventStoreDB,', () => {
  let sealed: ElsewhereLog;
  let other: ElsewhereLog;
  beforeAll(async () => {
    sealed = await openElsewhere();
    other = await openElsewhere(sealed.log);
  });
  afterAll(async () => {
    await other.close();
    await sealed.close();
  });

  it('finds nothing if nobody changed the log, and a log that is not the sealed one', async () => {
    quiet();
    for (const { log } of [sealed.log, other.log])
      for (let at = 0; at < 5; at++) await log.append([enqueue('mail', { payload: { at } })]);
    const sealer = await Sealer.begin(sealed.postgres, new EventStoreDbLeaves(sealed.log.log));
    const kept = await sealer.seal('kept');
    const args = ['--key', sealer.key, '--seal', kept];
    const asSealed = await verify(sealed.env, ...args);
    const { code, out } = await verify(other.env, ...args);
    await sealer.end();
    await rm(sealer.folder, { recursive: true });
    expect(asSealed).toMatchObject({ code: 0, err: expect.stringContaining('Verified 5 leaves') });
    expect([code, out]).toEqual([1, expect.stringMatching(/^CONFLICT: the first 5 leaves/)]);
  });
});

interface ElsewhereLog {
  readonly log: LogFixture;
  readonly postgres: PostgresFixture;
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** A log in EventStoreDB that has its name, on the server of another one or its own. */
async function openElsewhere(beside?: LogFixture): Promise<ElsewhereLog> {
  const [postgres, log] = await Promise.all([openPostgresStore(), openLog(beside && { on: beside.server })]);
  const env = { DATABASE_URL: postgres.url, EVENT_STORE_URL: log.server.url, EVENT_STORE_PREFIX: log.prefix };
  expect(await verify(env)).toMatchObject({ code: 3, err: expect.stringContaining('Verified 0 leaves') });
  const close = async (): Promise<void> => {
    await log.close();
    await postgres.close();
  };
  return { log, postgres, env, close };
}

/** What comes after the heading. */
function commandsUnder(heading: string): string {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/how-to/verify-the-log.md'), 'utf8');
  return /```sh\n([\s\S]*?)```/.exec(guide.slice(guide.indexOf(`## ${heading}\n`)))![1]!;
}
