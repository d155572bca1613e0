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
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { LogTree } from '../../../src/infrastructure/notary/log-tree.js';
import { Notary } from '../../../src/infrastructure/notary/notary.js';
import { NotaryNotice } from '../../../src/infrastructure/notary/notary-notice.js';
import { PostgresLeaves } from '../../../src/infrastructure/notary/postgres-leaves.js';
import { BUILD } from '../../../src/bootstrap/functions.js';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { defineQueue, enqueue, item, succeeded } from '../../support/events.js';
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

  static async begin({ pool }: PostgresFixture): Promise<Sealer> {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-verify-'));
    const leaders = new Leaders(pool);
    const { term } = (await leaders.tryToLead('notary'))!;
    const parts = { leaves: new PostgresLeaves(pool), tree: new LogTree(pool), notice: new NotaryNotice(pool), folder };
    return new Sealer(folder, new Notary(parts, leaders), leaders, term);
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

/** What it prints, and with which code it ends. What it finds is in `test/acceptance/history`. */
describe('waybill verify', () => {
  let fixture: PostgresFixture;
  let sealer: Sealer;
  /** Kept in the middle of the log, and at its end. */
  let seals: readonly string[];

  beforeAll(async () => {
    quiet();
    fixture = await openPostgresStore();
    const { store, pool } = fixture;
    sealer = await Sealer.begin(fixture);
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

  it('goes past the seals, to what came later, and past what was refused between', async () => {
    const taken = enqueue('mail', {}, undefined, TASK);
    await fixture.store.append([enqueue('mail', { payload: 'late' }), taken, enqueue('mail')]);
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

  it('finds a changed segment even without a seal, if nobody changed the tree, and prints its position', async () => {
    await attack(`update segments set recorded_at = recorded_at - interval '1 hour' where position = 2`);
    expect(await run()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^ALTERED at 2: its leaf is not the one in the tree/),
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

  it('prints the seal of a log that is shorter now', async () => {
    await attack('delete from segments where position >= 7');
    const { code, out } = await withSeals();
    expect([code, out]).toEqual([1, expect.stringMatching(/^SHORTER: the log has 5 leaves, but this was sealed:\n/m)]);
    expect(out).toContain(await readFile(seals[1]!, 'utf8'));
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

  it('finds a time without an end, and what is backdated behind it', async () => {
    await attack(`truncate seal_tiles; update segments set recorded_at = 'infinity' where position = 5;
      update segments set recorded_at = recorded_at - interval '1 hour' where position = 7`);
    const { code, out } = await run();
    expect([code, out.trim().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/^ALTERED at 5: it was recorded at a time that no build writes/),
        expect.stringMatching(/^TIME_BACK at 7: it was recorded at 20/),
      ],
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

/** What comes after the heading. */
function commandsUnder(heading: string): string {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/how-to/verify-the-log.md'), 'utf8');
  return /```sh\n([\s\S]*?)```/.exec(guide.slice(guide.indexOf(`## ${heading}\n`)))![1]!;
}
