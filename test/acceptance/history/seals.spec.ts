import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import type { LeaderTerm } from '../../../src/application/kernel/leader-term.js';
import { GrowingTree } from '../../../src/domain/merkle/growing-tree.js';
import { consistencyPath, inclusionPath } from '../../../src/domain/merkle/proofs.js';
import type { LeafRange } from '../../../src/domain/merkle/ranges.js';
import { rootInTiles } from '../../../src/domain/merkle/tiles.js';
import { parseCheckpoint } from '../../../src/domain/seals/checkpoint.js';
import { parseNote } from '../../../src/domain/seals/note.js';
import { parseVerifierKey } from '../../../src/domain/seals/note-key.js';
import { parseTlogProof } from '../../../src/domain/seals/tlog-proof.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { LogTree } from '../../../src/infrastructure/notary/log-tree.js';
import { hashing, publicKeyOf, sha256 } from '../../../src/infrastructure/notary/node-signing.js';
import { Notary } from '../../../src/infrastructure/notary/notary.js';
import { NotaryNotice } from '../../../src/infrastructure/notary/notary-notice.js';
import { PostgresLeaves } from '../../../src/infrastructure/notary/postgres-leaves.js';
import { StoredProofs } from '../../../src/infrastructure/notary/stored-proofs.js';
import { type ToldFinding, verifyLog } from '../../../src/maintenance/verify-log.js';
import { defineQueue, enqueue, failed, item, succeeded } from '../../support/events.js';
import { CONSISTENCIES, INCLUSIONS, LEAVES, ROOTS } from '../../domain/merkle/published-vectors.js';
import { DoubledNotaries, SEALING_POINTS } from '../../support/doubled-notaries.js';
import { sigstore } from '../../support/sigstore.js';
import { fromHex, hex } from '../../support/tree-hashing.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const GOLDEN = join(import.meta.dirname, '../../golden');
const TASK = '019ab000-0000-7000-8000-000000000001';
const quiet = (): void => void jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);

describe('the digests of segments', () => {
  let db: PostgresFixture;
  let folder: string;
  beforeAll(async () => {
    db = await openPostgresStore();
    folder = await mkdtemp(join(tmpdir(), 'waybill-digests-'));
  });
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true });
  });

  /** Of all that is stored, in the order of the log. */
  async function digests() {
    const { rows } = await db.pool.query<{ first: string; digest: string }>(
      `select position as first, encode(waybill_digest(s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.ids, s.data,
         s.private, s.salts), 'hex') as digest from segments s order by position`,
    );
    const leaves = new PostgresLeaves(db.pool);
    const made = await leaves.checked(0n, 10_000);
    const sources = await leaves.sources(rows.map(({ first }) => BigInt(first)));
    for (const [at, source] of sources.entries())
      await writeFile(join(folder, String(at).padStart(6, '0')), source.text);
    const names = sources.map((_, at) => String(at).padStart(6, '0'));
    const { stdout } = spawnSync('sha256sum', names, { cwd: folder, encoding: 'utf8' });
    return {
      sql: rows.map(({ digest }) => digest),
      typeScript: sources.map(({ leaf }) => leaf.text.split(' ')[5]),
      sha256sum: stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(' ')[0]),
      isAltered: made.some(({ notes }) => notes.isAltered),
    };
  }

  const same = ({ sql, ...others }: Awaited<ReturnType<typeof digests>>) =>
    expect(others).toEqual({ typeScript: sql, sha256sum: sql, isAltered: false });

  it('H-29 are the same by TypeScript, SQL and sha256sum, for golden logs and for random appends, also where items were refused', async () => {
    const logs = readdirSync(GOLDEN, { withFileTypes: true }).filter((one) => one.isDirectory());
    let segments = 0;
    for (const { name } of logs) {
      const lines = readFileSync(join(GOLDEN, name, 'segments.ndjson'), 'utf8')
        .split('\n')
        .slice(0, -1);
      await db.pool.query(
        `insert into segments select r.* from jsonb_array_elements($1::jsonb) e, jsonb_populate_record(null::segments, e) r`,
        [`[${lines.join(',')}]`],
      );
      const found = await digests();
      same(found);
      segments += found.sql.length;
      await db.pool.query('truncate segments');
    }
    expect(segments).toBeGreaterThan(logs.length);
    const random = (): string =>
      Math.random()
        .toString(36)
        .repeat(1 + Math.floor(Math.random() * 4));
    await db.store.append([defineQueue('mail')]);
    for (let round = 0; round < 20; round++) {
      const size = 1 + Math.floor(Math.random() * 20);
      const items = Array.from({ length: size }, (_, at) =>
        enqueue('mail', at % 3 === 0 ? { payload: `ä\n${random()}`, labels: { of: random() } } : {}),
      );
      await db.store.append(items.slice(0, size >> 1));
      const given = [...items, item(items[0]!.stream, 7, failed('mail', '1')), enqueue('mail', { payload: random() })];
      const results = await db.store.append(given);
      expect(results.map(({ kind }) => kind)).toContain('conflict');
    }
    same(await digests());
  });
});

describe('a sealed log', () => {
  let fixture: PostgresFixture;
  let folder: string;
  let leaders: Leaders;
  let term: LeaderTerm;
  let kept: { readonly name: string; readonly text: string };
  let key: string;

  beforeAll(async () => {
    quiet();
    fixture = await openPostgresStore();
    folder = await mkdtemp(join(tmpdir(), 'waybill-seals-'));
    const { store } = fixture;
    leaders = new Leaders(fixture.pool);
    term = (await leaders.tryToLead('notary'))!.term;
    await store.append([defineQueue('mail')]);
    await store.append([enqueue('mail', { payload: { to: 'ann' } }, undefined, TASK), enqueue('mail', { payload: 2 })]);
    await store.append([item(taskStream(TASK), 0, [succeeded('mail', '1', { result: 'sent' })])]);
    for (let at = 0; at < 3; at++) await store.append([enqueue('mail', { payload: { at } })]);
    await work(folder);
    kept = { name: 'kept', text: await readFile(join(folder, 'seal'), 'utf8') };
    key = (await readFile(join(folder, 'key.pub'), 'utf8')).trim();
    await attack(
      'create table kept as table segments; create table kept_tiles as table seal_tiles; create table kept_tree as table log_tree; create table kept_names as table stream_names',
    );
  });
  afterEach(() =>
    attack(`truncate segments, seal_tiles, log_tree; insert into segments select * from kept;
      insert into seal_tiles select * from kept_tiles; insert into log_tree select * from kept_tree`),
  );
  afterAll(async () => {
    await leaders.close();
    await fixture.close();
    await rm(folder, { recursive: true });
  });

  const attack = (sql: string) => fixture.pool.query(sql);

  /** Lets a notary with this folder do what there is to do. */
  async function work(of: string): Promise<void> {
    const parts = { leaves: new PostgresLeaves(fixture.pool), tree: new LogTree(fixture.pool) };
    const notary = new Notary({ ...parts, notice: new NotaryNotice(fixture.pool), folder: of }, leaders);
    while ((await notary.round(term)) === 0);
  }

  async function verified(seals: readonly { readonly name: string; readonly text: string }[] = [kept]) {
    const findings: ToldFinding[] = [];
    const result = await verifyLog(
      { DATABASE_URL: fixture.url },
      { key, seals, witnesses: [], onFinding: (finding) => void findings.push(finding) },
    );
    expect(result).toMatchObject({ findings: findings.length });
    return findings;
  }

  it('H-30 has roots, tiles and proofs as published, and seals and proofs that another verifier takes', async () => {
    const published = LEAVES.map((leaf) => hashing.leaf(fromHex(leaf)));
    const tree = (size: number) => {
      const growing = new GrowingTree(hashing);
      for (const leaf of published.slice(0, size)) growing.add(leaf);
      const [root, [tile]] = [growing.root(), growing.takeTiles()];
      const made = (path: readonly LeafRange[]) =>
        path.map((range) => hex(rootInTiles(range, () => tile!.hashes, hashing)));
      return { root: hex(root), tile: hex(tile?.hashes ?? new Uint8Array(0)), made };
    };
    expect(ROOTS.map((_, size) => tree(size).root)).toEqual(ROOTS);
    expect(tree(8).tile).toBe(published.map(hex).join(''));
    for (const { index, size, proof } of INCLUSIONS)
      expect(tree(size).made(inclusionPath(index, size)!)).toEqual(proof);
    for (const { old, size, proof } of CONSISTENCIES)
      expect(tree(size).made(consistencyPath(old, size)!)).toEqual(proof);
    const [leaves, stored] = [new PostgresLeaves(fixture.pool), new LogTree(fixture.pool)];
    const { size } = parseCheckpoint(parseNote(kept.text).text);
    const positions = (await leaves.after(0n, 100)).map(({ position }) => position);
    const { segments } = await new StoredProofs(leaves, stored, false).of(positions, { size, note: kept.text }, null);
    const { name, id, publicKey } = parseVerifierKey(key, sha256);
    const logID = Buffer.alloc(32);
    logID.writeUInt32BE(id);
    const trusted = [{ logID, baseURL: `https://${name}`, publicKey: publicKeyOf(publicKey) }];
    for (const { leaf, proof } of segments) {
      const { index, hashes, seal } = parseTlogProof(proof);
      const checkpoint = { envelope: seal };
      const inclusionProof = { logIndex: String(index), hashes: hashes.map((hash) => Buffer.from(hash)), checkpoint };
      const entry = { inclusionProof, canonicalizedBody: Buffer.from(leaf) };
      const taken = sigstore.verifyCheckpoint(entry, trusted);
      sigstore.verifyMerkleInclusion(entry, taken);
      expect(() =>
        sigstore.verifyMerkleInclusion({ ...entry, canonicalizedBody: Buffer.from(`${leaf} `) }, taken),
      ).toThrow('root hash does not match');
    }
    expect(segments).toHaveLength(size);
  });

  it('H-33 agrees with itself only, with code 3, without a kept seal', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const told = text(stderr);
    const out = stdout as unknown as NodeJS.WriteStream;
    const env = { DATABASE_URL: fixture.url };
    const code = await main(['verify'], { stdin: Readable.from([]), stdout: out, stderr, env, verifyLog });
    stderr.end();
    expect([code, await told]).toEqual([
      3,
      expect.stringContaining('the log agrees with itself; nothing shows that it is the log of yesterday'),
    ]);
  });

  /** What makes one byte of a column another, or the column at all. */
  const OTHER: Readonly<Record<string, string>> = {
    category: `overlay(category placing chr(ascii(category) + 1) from 1)`,
    type: `overlay(type placing 'X' from 1)`,
    version: 'version + 1',
    meta: `overlay(meta placing ' ' from length(meta))`,
    shared: `coalesce(overlay(shared placing ' ' from length(shared)), '{}')`,
    streams: `overlay(streams[1]::text placing case left(streams[1]::text, 1) when '0' then '1' else '0' end from 1)::uuid || streams[2:]`,
    revisions: 'array[coalesce(revisions[1], 0) + 1]',
    ids: `overlay(ids[1]::text placing case left(ids[1]::text, 1) when '0' then '1' else '0' end from 1)::uuid || ids[2:]`,
    data: `overlay(data placing ' ' from length(data))`,
    private: `overlay(private placing '_' from 3)`,
    salts: `set_byte(salts, 3, 255 - get_byte(salts, 3))`,
    digest: 'set_byte(digest, 31, 255 - get_byte(digest, 31))',
    recorded_at: `recorded_at - interval '1 microsecond'`,
    prevs: 'array[coalesce(prevs[1], 0) + 1]',
  };

  it('H-31 shows one changed byte in any column of any row, with its position', async () => {
    const { rows } = await attack('select position from segments order by position');
    let changes = 0;
    for (const { position } of rows as { position: string }[])
      for (const [column, value] of Object.entries(OTHER)) {
        const { rowCount } = await attack(
          `update segments set ${column} = ${value} where position = ${position} and (${column} is not null or ${value} is not null)`,
        );
        if (rowCount === 0) continue;
        changes++;
        expect([column, (await verified())[0]]).toEqual([
          column,
          expect.objectContaining({ kind: 'ALTERED', position }),
        ]);
        await attack(`delete from segments where position = ${position};
          insert into segments select * from kept where position = ${position}`);
      }
    const { rows: columns } = await attack(
      `select column_name as name from information_schema.columns where table_name = 'segments'`,
    );
    expect(columns.map(({ name }) => name).sort()).toEqual([...Object.keys(OTHER), 'n', 'position'].sort());
    // Only `private` and `salts` are absent, in the row of the queue.
    expect(changes).toBe(rows.length * Object.keys(OTHER).length - 2);
    expect(await verified()).toEqual([]);
    for (const change of [
      'n = n + 1',
      'n = 0',
      'n = -3',
      'position = position + 100',
      'position = 0',
      'position = -5',
    ]) {
      await attack(`update segments set ${change} where position = 4`);
      expect((await verified())[0]).toMatchObject({ kind: expect.stringMatching(/^(GAP|ALTERED)$/) });
      await attack(`truncate segments; insert into segments select * from kept`);
    }
  });

  /** All that a superuser can do who has not the key. */
  const ANEW = `update segments s set digest = waybill_digest(category, type, version, meta, shared, streams, revisions, ids, data, private, salts);
    truncate log_tree, seal_tiles`;

  it('H-32 shows deletion, insertion, a swap, a cut tail, a fork and a restored backup by a kept seal, and none is signed', async () => {
    const inserted = `update segments set position = position + 100 where position >= 5;
      insert into segments select 5, n, category, type, version, recorded_at, meta, shared, array[gen_random_uuid()], revisions, prevs,
        array[gen_random_uuid()], data, private, salts, digest from segments where position = 105;
      update segments set position = position - 99 where position > 100`;
    const swapped = `update segments s set data = o.data, private = o.private, salts = o.salts from segments o
      where s.position in (5, 6) and o.position = 11 - s.position`;
    const attacks: Readonly<Record<string, readonly [string, string]>> = {
      deletion: ['delete from segments where position = 5', 'GAP'],
      insertion: [inserted, 'CONFLICT'],
      swap: [swapped, 'CONFLICT'],
      'cut tail': ['delete from segments where position > 5', 'SHORTER'],
      fork: [`update segments set data = replace(data, '}', ' }') where position = 7`, 'CONFLICT'],
      'restored backup, with its seals': [
        `delete from segments where position > 4; delete from seals where size > 3`,
        'SHORTER',
      ],
    };
    const before = await readFile(join(folder, 'seal'), 'utf8');
    for (const [what, [sql, kind]] of Object.entries(attacks)) {
      await attack(`${sql}; ${ANEW}`);
      const findings = await verified();
      expect([what, findings.map((one) => one.kind)]).toEqual([what, expect.arrayContaining([kind])]);
      await expect(work(folder)).rejects.toThrow(
        /were signed: it was set back$|does not begin with the \d+ that were signed$/,
      );
      expect(await readFile(join(folder, 'seal'), 'utf8')).toBe(before);
      await attack('truncate segments; insert into segments select * from kept');
    }
  });

  it('H-34 that was rewritten and sealed again with the key of the notary conflicts with a kept seal, and both are printed', async () => {
    await attack(
      `update segments set private = replace(private, 'ann', 'bob') where position = 2; ${ANEW}; truncate seals`,
    );
    const thief = await mkdtemp(join(tmpdir(), 'waybill-thief-'));
    for (const file of ['key.pem', 'key.pub']) await copyFile(join(folder, file), join(thief, file));
    await writeFile(join(thief, 'signed.0'), `${key.split('+')[0]}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n`);
    await work(thief);
    const forged = { name: 'forged', text: await readFile(join(thief, 'seal'), 'utf8') };
    await rm(thief, { recursive: true });
    expect(await verified([forged])).toEqual([]);
    const [conflict, ...more] = await verified([forged, kept]);
    expect([conflict, more]).toMatchObject([{ kind: 'CONFLICT', says: expect.stringContaining(kept.text) }, []]);
    expect(conflict!.says).toContain(forged.text);
  });

  it.each([
    ['a mark for nothing that all events share, which no build can read', `shared = '-' where position = 4`, 4],
    [
      'salts where no event has a private half',
      `private = '', salts = decode(repeat('ab', 16), 'hex') where position = 1`,
      1,
    ],
  ])('H-31 shows %s', async (_, change, position) => {
    const { rowCount } = await attack(`update segments set ${change} and shared is null`);
    expect(rowCount).toBe(1);
    expect(await verified()).toEqual([expect.objectContaining({ kind: 'ALTERED', position: String(position) })]);
  });

  it.each([
    ['no envelope', 'null', '{"log":"a","next":"b"}'],
    ['no data', '{"actor":"eve"}', 'null'],
  ])('reads on behind a record of another log with %s', async (_, meta, data) => {
    await attack(`insert into segments select 8, 1, 'notary', 'LogLossAccepted', 1, recorded_at, '${meta}', null, array[gen_random_uuid()], null, null,
      array[gen_random_uuid()], '${data}', null, null, null from segments where position = 7`);
    await attack(`update segments set data = '{}' where position = 7`);
    expect((await verified()).map(({ kind, position }) => [kind, position])).toContainEqual(['ALTERED', '7']);
  });

  it.each(['n', 'category', 'type', 'version', 'recorded_at', 'meta', 'streams', 'ids', 'data'])(
    'H-31 shows a row whose %s somebody took away, with the constraint',
    async (column) => {
      await attack(`alter table segments alter ${column} drop not null`);
      for (const [position, half] of [
        [1, null],
        [2, `'#' || repeat('A', 43) || '={"error":{"message":"(erased)","class":"bug"}}' || E'\\n'`],
      ] as const) {
        await attack(`update segments set ${column} = null, private = ${half} where position = ${position}`);
        const expected = expect.objectContaining({ kind: 'ALTERED', position: String(position) });
        expect(await verified()).toContainEqual(expected);
      }
      await attack(`delete from segments where ${column} is null; alter table segments alter ${column} set not null`);
    },
  );

  it('shows an event below its beginning, which histories show once a row of the index names it, and the notary stops', async () => {
    await attack(`insert into segments select -9, 1, category, 'TaskDeleted', 1, recorded_at, meta, '{"queue":"mail"}', streams[1:1], array[2], '{3}',
        array[gen_random_uuid()], '{}', null, null, null from segments where position = 4;
      update tasks set position = -9 where task_id = '${TASK}'`);
    const [history] = await fixture.store.readStreams([taskStream(TASK)]);
    expect(history!.map(({ event }) => event.type)).toContain('TaskDeleted');
    expect(await verified()).toEqual([{ kind: 'GAP', position: '-9', says: 'the log begins with position 1' }]);
    await expect(work(folder)).rejects.toThrow('at position -9: GAP');
    await attack(`delete from segments where position < 1; update tasks set position = 4 where task_id = '${TASK}'`);
    await work(folder);
  });

  it.each([
    [
      'has the name of another',
      `update stream_names set name = 'queue-post' where name = 'queue-mail'`,
      `its stream is not that of the name 'queue-post'`,
    ],
    ['lacks its name', 'delete from stream_names', 'the name of its stream lacks'],
  ])(
    'H-31 shows a stream that %s, as which rebuilds and followers would take it, and the notary stops',
    async (_, text, says) => {
      await attack(text);
      expect(await verified()).toEqual([{ kind: 'ALTERED', position: '1', says }]);
      await expect(work(folder)).rejects.toThrow('at position 1: ALTERED');
      await attack(`delete from stream_names; insert into stream_names select stream, name from kept_names`);
      await work(folder);
    },
  );

  it('is audited from its texts: what no leaf shows stops the seals until it is mended', async () => {
    await work(folder);
    for (const column of ['data', 'private', 'salts']) {
      await attack(`update segments set ${column} = ${OTHER[column]} where position = 2`);
      await expect(work(folder)).rejects.toThrow('the log is not what was sealed, at position 2: ALTERED');
      await attack('truncate segments; insert into segments select * from kept');
      await work(folder);
    }
  });

  it.each(SEALING_POINTS)(
    'H-37 never has two roots of one size signed by two notaries, one of which stands still at "$part $method" over a restored backup',
    async (point) => {
      const notaries = new DoubledNotaries(fixture.pool, new PostgresLeaves(fixture.pool), leaders);
      const sealed = await notaries.seal(point, {
        shorten: () => attack('delete from segments where position > 5; truncate log_tree, seal_tiles'),
        grow: () => attack('insert into segments select * from kept where position > 5'),
        fork: () => attack(`update segments set data = replace(data, '}', ' }') where position > 5; ${ANEW}`),
      });
      // Whoever remembers first signs.
      expect(sealed).toEqual({ roots: [1, 1], hasOtherSealed: !point.hasSigned });
    },
  );

  it('H-51 shows a private half that is missing without an erasure, and none that was erased; so does the audit', async () => {
    const parts = { leaves: new PostgresLeaves(fixture.pool), tree: new LogTree(fixture.pool) };
    const notary = new Notary({ ...parts, notice: new NotaryNotice(fixture.pool), folder }, leaders);
    await attack(`select waybill_erase(array[position], array['']) from segments where type = 'TaskSucceeded'`);
    const { rows } = await attack(`select position from segments where type = 'TaskSucceeded'`);
    expect(await verified()).toEqual([expect.objectContaining({ kind: 'HALF_MISSING', position: rows[0]!.position })]);
    // What explains it may come after the end of this round.
    await notary.round(term);
    await expect(notary.round(term)).rejects.toThrow(`at position ${rows[0]!.position}: HALF_MISSING`);
    const erased = { type: 'TaskErased', version: 1, data: { queue: 'mail', erasure: TASK } };
    await fixture.store.append([item(taskStream(TASK), 1, [erased])]);
    expect(await verified()).toEqual([]);
    for (let round = 0; round < 2; round++) expect(await notary.round(term)).toBeGreaterThan(0);
  });
});
