import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppendItem, AppendResult } from '../../../src/application/kernel/event-store.port.js';
import { type LeaderTerm, TermOver } from '../../../src/application/kernel/leader-term.js';
import { CompactRange } from '../../../src/domain/merkle/compact-range.js';
import { consistencyPath, isConsistent } from '../../../src/domain/merkle/proofs.js';
import { type Checkpoint, checkpointText, nextKeyIn, parseCheckpoint } from '../../../src/domain/seals/checkpoint.js';
import { parseNote } from '../../../src/domain/seals/note.js';
import { noteKey, parseVerifierKey, verifierKey } from '../../../src/domain/seals/note-key.js';
import { signersOf } from '../../../src/domain/seals/signers.js';
import { EventStoreDbLeaves } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import type { LogLeaves } from '../../../src/infrastructure/notary/log-leaves.port.js';
import { LogTree } from '../../../src/infrastructure/notary/log-tree.js';
import {
  hashing,
  newPrivateKey,
  publicBytesOf,
  sha256,
  verifySignature,
} from '../../../src/infrastructure/notary/node-signing.js';
import { Notary } from '../../../src/infrastructure/notary/notary.js';
import { NotaryNotice } from '../../../src/infrastructure/notary/notary-notice.js';
import { PostgresLeaves } from '../../../src/infrastructure/notary/postgres-leaves.js';
import { Witness } from '../../../src/infrastructure/notary/witness.js';
import { Witnesses } from '../../../src/infrastructure/notary/witnesses.js';
import { enqueue } from '../../support/events.js';
import { openLog } from '../../support/eventstoredb/open-log.js';
import { TestWitness } from '../../support/test-witness.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

interface Log {
  readonly postgres: PostgresFixture;
  readonly leaves: LogLeaves;
  append(items: readonly AppendItem[]): Promise<readonly AppendResult[]>;
  close(): Promise<void>;
}

async function inPostgres(): Promise<Log> {
  const postgres = await openPostgresStore();
  const append = (items: readonly AppendItem[]) => postgres.store.append(items);
  return { postgres, leaves: new PostgresLeaves(postgres.pool), append, close: () => postgres.close() };
}

async function inEventStoreDb(): Promise<Log> {
  const [postgres, { log, close: closeLog }] = await Promise.all([openPostgresStore(), openLog()]);
  const close = async (): Promise<void> => {
    await closeLog();
    await postgres.close();
  };
  return { postgres, leaves: new EventStoreDbLeaves(log), append: (items) => log.append(items), close };
}

/** More than a tile of appends, each with a leaf of its own. */
const MANY = 300;

describe.each([
  ['Postgres', inPostgres],
  ['EventStoreDB', inEventStoreDb],
])('the notary, with the events in %s,', (_, open) => {
  let log: Log;
  let leaders: Leaders;
  let term: LeaderTerm;
  let folder: string;
  let tree: LogTree;

  beforeAll(async () => {
    log = await open();
    leaders = new Leaders(log.postgres.pool);
    term = (await leaders.tryToLead('notary'))!.term;
    tree = new LogTree(log.postgres.pool);
    await appendEach(MANY);
  });
  afterAll(async () => {
    await leaders.close();
    await log.close();
  });
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    folder = await mkdtemp(join(tmpdir(), 'waybill-notary-'));
    await log.postgres.pool.query('truncate log_tree, seal_tiles, seals');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const query = async (text: string) => (await log.postgres.pool.query(text)).rows;
  const textIn = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const started = (parts: Partial<ConstructorParameters<typeof Notary>[0]> = {}): Notary =>
    new Notary({ leaves: log.leaves, tree, notice: new NotaryNotice(log.postgres.pool), folder, ...parts }, leaders);

  async function appendEach(count: number): Promise<void> {
    for (let at = 0; at < count; at++) await log.append([enqueue('mail', { payload: { at } })]);
  }

  /** Works until it rests. */
  async function work(notary: Notary): Promise<void> {
    while ((await notary.round(term)) === 0);
  }

  /** What the last seal says, if the key of the folder signed it. */
  async function seal(): Promise<Checkpoint> {
    const note = parseNote(await textIn('seal'));
    const key = parseVerifierKey((await textIn('key.pub')).trim(), sha256);
    expect(signersOf(note, [key], verifySignature)).toEqual([{ key, seconds: null }]);
    expect(parseCheckpoint(note.text).origin).toBe(key.name);
    return parseCheckpoint(note.text);
  }

  /** The size and the root of the whole log, by another computation. */
  async function headOfLog(): Promise<{ readonly size: number; readonly root: string }> {
    const range = new CompactRange(hashing);
    for (const { text } of await log.leaves.after(0n, 100_000)) range.add(hashing.leaf(Buffer.from(text)));
    return { size: range.size, root: Buffer.from(range.root()).toString('hex') };
  }

  const shown = ({ size, root }: Checkpoint) => ({ size, root: Buffer.from(root).toString('hex') });

  it('seals the whole log, keeps the seal, and signs nothing twice', async () => {
    const notary = started();
    await work(notary);
    expect(shown(await seal())).toEqual(await headOfLog());
    await work(notary);
    const note = await textIn('seal');
    expect(await query('select size, note from seals')).toEqual([{ size: String((await seal()).size), note }]);
  });

  it('seals what comes later, as a log that begins with what it was', async () => {
    const notary = started();
    await work(notary);
    const before = await seal();
    await appendEach(3);
    await work(notary);
    const after = await seal();
    const proof = await tree.rootsOf(consistencyPath(before.size, after.size)!, after.size);
    expect([after.size - before.size, isConsistent(before, after, proof, hashing)]).toEqual([3, true]);
    expect(shown(after)).toEqual(await headOfLog());
  });

  it('makes the same tree anew, also after a restart in between', async () => {
    await work(started());
    await appendEach(2);
    await work(started());
    const [note, tables] = [await textIn('seal'), await query(TREE)];
    await query('truncate log_tree, seal_tiles');
    await work(started());
    expect([await textIn('seal'), await query(TREE)]).toEqual([note, tables]);
  });

  it('signs again what it signed, if it was killed before the seal was kept', async () => {
    const dying = new LogTree(log.postgres.pool);
    dying.keep = () => Promise.reject(new Error('killed'));
    await expect(work(started({ tree: dying }))).rejects.toThrow('killed');
    await expect(textIn('seal')).rejects.toThrow('ENOENT');
    const signed = await textIn('signed.1');
    await work(started());
    expect(checkpointText(await seal())).toBe(signed);
  });

  it('refuses a log that was set back, although its tree was, too', async () => {
    await work(started());
    const note = await textIn('seal');
    await query('truncate log_tree, seal_tiles, seals');
    const all = await log.leaves.after(0n, 100_000);
    const shorter = {
      checked: () => Promise.resolve([]),
      outside: () => Promise.resolve([]),
      misnamed: () => Promise.resolve([]),
      after: (position: bigint) => Promise.resolve(all.slice(0, -1).filter((leaf) => leaf.position > position)),
    };
    await expect(work(started({ leaves: shorter }))).rejects.toThrow(
      `the log has ${all.length - 1} leaves only, and ${all.length} were signed: it was set back`,
    );
    expect([await textIn('seal'), await query('select from seals')]).toEqual([note, []]);
  });

  it('refuses a log that went another way since, although it is longer', async () => {
    await work(started());
    const note = await textIn('seal');
    await query('truncate log_tree, seal_tiles, seals');
    const all = await log.leaves.after(0n, 100_000);
    const last = all.at(-1)!;
    const forked = [...all.slice(0, -1), { ...last, text: `${last.text}0` }, { ...last, position: last.position + 1n }];
    const other = {
      checked: () => Promise.resolve([]),
      outside: () => Promise.resolve([]),
      misnamed: () => Promise.resolve([]),
      after: (position: bigint) => Promise.resolve(forked.filter((leaf) => leaf.position > position)),
    };
    await expect(work(started({ leaves: other }))).rejects.toThrow(
      `the log of ${all.length + 1} leaves does not begin with the ${all.length} that were signed`,
    );
    expect([await textIn('seal'), await query('select from seals')]).toEqual([note, []]);
  });

  it('refuses tiles from which the log that it signed does not follow', async () => {
    await work(started());
    await query(`update seal_tiles set hashes = set_byte(hashes, 5, 255 - get_byte(hashes, 5)) where level = 1`);
    await appendEach(1);
    await expect(work(started())).rejects.toThrow('does not begin with');
  });

  it('seals the log as it is under the next name, from a tree made anew, once somebody accepted the loss; witnesses follow', async () => {
    const witness = await TestWitness.start('w.example');
    const witnesses = new Witnesses([new Witness(witness.options, tree)]);
    const notary = started({
      witnesses,
      logs: { afterLoss: async ({ origin }) => `${origin}/2`, afterKeyOf: async () => null },
    });
    await work(notary);
    const before = await textIn('signed.1');
    await query(`update seal_tiles set hashes = set_byte(hashes, 5, 255 - get_byte(hashes, 5)) where level = 1`);
    await appendEach(1);
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    await work(
      started({ witnesses, logs: { afterLoss: async ({ origin }) => `${origin}/2`, afterKeyOf: async () => null } }),
    );
    witness.stop();
    const note = parseNote(await textIn('seal'));
    const [name] = before.split('\n');
    expect(shown(parseCheckpoint(note.text))).toEqual(await headOfLog());
    expect(note.signatures.map((one) => one.name)).toEqual([`${name}/2`, 'w.example']);
    expect(await query('select log, size from seals order by log')).toEqual([
      { log: 1, size: String(parseCheckpoint(before).size) },
      { log: 2, size: String(parseCheckpoint(note.text).size) },
    ]);
  });

  describe('once somebody has retired its key', () => {
    const parts = (at: bigint) => ({
      logs: {
        afterLoss: async () => null,
        afterKeyOf: async (name: string) => (name.endsWith('/2') ? null : { next: `${name}/2`, position: at }),
      },
    });
    const notes = async () =>
      (await query('select note from seals order by log, size')).map(({ note }) => parseNote(note));
    const lastRecord = async () => (await readdir(folder)).find((name) => name.startsWith('signed.'))!;
    const vkeyIn = async (file: string) => parseVerifierKey((await textIn(file)).trim(), sha256);
    beforeEach(() => {
      jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    });

    /** The position of the leaf with this number, from 1, and of the last one. */
    async function positions(of: number): Promise<readonly bigint[]> {
      const all = await log.leaves.after(0n, 100_000);
      return [all[of - 1]!.position, all.at(-1)!.position];
    }

    async function expectTwoLogs(end: number): Promise<void> {
      const [last, first] = (await notes()).slice(-2);
      const [before, now] = [await vkeyIn('key.1.pub'), await vkeyIn('key.pub')];
      expect(signersOf(last!, [before], verifySignature)).toHaveLength(1);
      expect(signersOf(first!, [now], verifySignature)).toHaveLength(1);
      expect([parseCheckpoint(last!.text), nextKeyIn(last!.text)]).toMatchObject([
        { origin: before.name, size: end },
        verifierKey(now),
      ]);
      expect(now.name).toBe(`${before.name}/2`);
      expect(now.publicKey).not.toEqual(before.publicKey);
      const goesOn = await seal();
      const proof = await tree.rootsOf(consistencyPath(end, goesOn.size)!, goesOn.size);
      expect(isConsistent(parseCheckpoint(last!.text), goesOn, proof, hashing)).toBe(true);
      expect(shown(goesOn)).toEqual(await headOfLog());
    }

    it.each([1, 257])('signs %i leaves with it for the last time, and goes on with another', async (end) => {
      const [at] = await positions(end);
      await work(started(parts(at!)));
      await expectTwoLogs(end);
      await work(started(parts(at!)));
      expect(await notes()).toHaveLength(2);
    });

    it('remembers under the next name what it signed last, before it signs anything under that', async () => {
      const [at] = await positions(256);
      const notary = started(parts(at!));
      while (!(await readdir(folder)).includes('seal')) await notary.round(term);
      const last = await seal();
      expect(last.size).toBe(256);
      expect(await textIn(await lastRecord())).toBe(checkpointText({ ...last, origin: `${last.origin}/2` }));
    });

    it('seals on with the key until the log has come so far', async () => {
      const [, last] = await positions(1);
      const notary = started(parts(last! + 1n));
      await work(notary);
      expect((await notes()).map(({ text }) => nextKeyIn(text))).toEqual([null]);
    });

    it('has the last seal witnessed, with the next key in it', async () => {
      const witness = await TestWitness.start('w.example');
      const witnesses = new Witnesses([new Witness(witness.options, tree)]);
      const [at] = await positions(280);
      await work(started({ ...parts(at!), witnesses }));
      const [last] = await notes();
      const cosigned = signersOf(last!, [parseVerifierKey(witness.options.key, sha256)], verifySignature);
      expect(cosigned).toHaveLength(1);
      expect([...new Set(witness.asked.map(({ size }) => size))]).toEqual([280, (await headOfLog()).size]);
      witness.stop();
    });

    it.each(['tileOf', 'rootsOf', 'keep'] as const)('ends the log if it was killed at %s', async (method) => {
      await work(started());
      await appendEach(1);
      const [, last] = await positions(1);
      const dying = Object.assign(new LogTree(log.postgres.pool), {
        [method]: () => Promise.reject(new Error('killed')),
      });
      await expect(work(started({ ...parts(last!), tree: dying }))).rejects.toThrow('killed');
      const named = nextKeyIn(await textIn(await lastRecord()));
      expect(named === null).toBe(method !== 'keep');
      await work(started(parts(last!)));
      await expectTwoLogs((await headOfLog()).size);
      // A last seal that may have left names the key that counts.
      expect([null, verifierKey(await vkeyIn('key.pub'))]).toContain(named);
    });

    it('makes a key of its own, although the folder has one that the last record from before names', async () => {
      await work(started());
      const secret = newPrivateKey();
      const { name } = await vkeyIn('key.pub');
      const planted = noteKey(`${name}/2`, 'log', publicBytesOf(secret), sha256);
      const record = await lastRecord();
      const text = checkpointText(parseCheckpoint(await textIn(record)), verifierKey(planted));
      const pem = secret.export({ format: 'pem', type: 'pkcs8' }) as string;
      const files = { [record]: text, 'key.2.pem': pem, [`key.2.${planted.id.toString(16)}.pem`]: pem };
      for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
      await appendEach(1);
      const [, last] = await positions(1);
      await work(started(parts(last!)));
      await expectTwoLogs((await headOfLog()).size);
      expect((await vkeyIn('key.pub')).publicKey).not.toEqual(planted.publicKey);
    });

    it('ends the log where a build that knows of no such order has signed on', async () => {
      const [at] = await positions(200);
      await work(started());
      const { size } = await headOfLog();
      await work(started(parts(at!)));
      await expectTwoLogs(size);
    });
  });

  const notice = async () => {
    const asked = 'select audited_position, fault_position, stopped_for from notary';
    return (await log.postgres.pool.query<Record<string, string | null>>(asked)).rows[0]!;
  };

  it('audits all that it sealed, and goes on with what comes later', async () => {
    const notary = started();
    await work(notary);
    const ends: string[] = [];
    for (const more of [0, 1]) {
      await appendEach(more);
      await work(notary);
      ends.push(String((await log.leaves.after(0n, 100_000)).at(-1)!.position));
      expect(await notice()).toEqual({ audited_position: ends.at(-1), fault_position: null, stopped_for: null });
    }
    expect(ends[0]).not.toBe(ends[1]);
  });

  it('audits appends of which items were refused', async () => {
    const taken = enqueue('mail');
    await log.append([taken]);
    const again = { ...taken, events: enqueue('mail').events };
    const results = await log.append([enqueue('mail'), again, enqueue('mail')]);
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'conflict', 'appended']);
    await work(started());
    expect(await notice()).toMatchObject({ fault_position: null, stopped_for: null });
    expect(shown(await seal())).toEqual(await headOfLog());
  });

  it('stops, and says so, if a leaf is not the one in the tree, and goes on once it is, also after a restart', async () => {
    await work(started());
    const fault = String((await log.leaves.after(0n, 8)).at(-1)!.position);
    const flip = `update seal_tiles set hashes = set_byte(hashes, 7 * 32 + 5, 255 - get_byte(hashes, 7 * 32 + 5)) where level = 0 and n = 0`;
    await query(flip);
    const sealedBefore = await textIn('seal');
    const notary = started();
    await expect(work(notary)).rejects.toThrow(`the log is not what was sealed, at position ${fault}: ALTERED`);
    await appendEach(1);
    for (const again of [notary, started()]) await expect(work(again)).rejects.toThrow(`at position ${fault}`);
    expect(await notice()).toMatchObject({ fault_position: fault, stopped_for: expect.stringContaining('ALTERED') });
    expect(await textIn('seal')).toBe(sealedBefore);
    await query(flip);
    await work(started());
    expect(await notice()).toMatchObject({ fault_position: null, stopped_for: null });
    expect(shown(await seal())).toEqual(await headOfLog());
  });

  it('writes nothing in a term that is over', async () => {
    await work(started());
    await appendEach(1);
    const late = started();
    const before = await query(TREE);
    await expect(late.round({ ...term, epoch: '0' })).rejects.toThrow(TermOver);
    expect(await query(TREE)).toEqual(before);
    await work(late);
    expect(shown(await seal())).toEqual(await headOfLog());
  });

  it.each([
    ['signed.1', 'Expected what was signed last in'],
    ['key.pem', 'Expected the key of the log in'],
    ['key.pub', 'Expected the file'],
  ])('signs nothing without the file %s that was there', async (file, message) => {
    await work(started());
    await rm(join(folder, file));
    await appendEach(1);
    await expect(work(started())).rejects.toThrow(message);
  });

  it('keeps its key for itself, and takes no other public one for it', async () => {
    await work(started());
    expect((await stat(join(folder, 'key.pem'))).mode & 0o777).toBe(0o600);
    const published = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
    await writeFile(join(folder, 'key.pub'), published);
    await expect(work(started())).rejects.toThrow("Expected 'key.pub' to be the public key of 'key.pem'");
  });
});

const TREE = `select 'tree' as what, size, position, null as hashes from log_tree
  union all select format('tile %s', level), n, null, encode(hashes, 'hex') from seal_tiles order by what, size`;
