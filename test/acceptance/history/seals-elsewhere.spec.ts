import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LeaderTerm } from '../../../src/application/kernel/leader-term.js';
import { EventStoreDbLeaves } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { LogTree } from '../../../src/infrastructure/notary/log-tree.js';
import { Notary } from '../../../src/infrastructure/notary/notary.js';
import { NotaryNotice } from '../../../src/infrastructure/notary/notary-notice.js';
import { type ToldFinding, verifyLog } from '../../../src/maintenance/verify-log.js';
import { DoubledNotaries, SEALING_POINTS } from '../../support/doubled-notaries.js';
import { enqueue } from '../../support/events.js';
import { type LogFixture, openLog } from '../../support/eventstoredb/open-log.js';
import type { StoredEvent } from '../../support/eventstoredb/stored-stream.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const EVENTS = 7;

/** The event with another of its last characters. */
const bumped = (text: string): string => text.replace(/[^-]$/, (last) => (last === '0' ? '1' : '0'));

function replaced(bytes: Uint8Array, from: RegExp, to: (found: string) => string): Uint8Array {
  const text = Buffer.from(bytes).toString();
  expect(text).toMatch(from);
  return Buffer.from(text.replace(from, to));
}

/** What makes one byte of an event another. */
const OTHER: Readonly<Record<string, (event: StoredEvent) => Partial<StoredEvent>>> = {
  stream: ({ stream }) => ({ stream: bumped(stream) }),
  revision: ({ revision }) => ({ revision: revision + 1n }),
  id: ({ id }) => ({ id: bumped(id) }),
  type: ({ type }) => ({ type: bumped(type) }),
  position: ({ position }) => ({ position: position + 1n }),
  'who did it': ({ metadata }) => ({ metadata: replaced(metadata, /tester/, () => 'tesxer') }),
  version: ({ metadata }) => ({ metadata: replaced(metadata, /"version":"?1/, (found) => found.replace('1', '2')) }),
  time: ({ metadata }) => ({ metadata: replaced(metadata, /\dZ"/, (found) => (found === '0Z"' ? '1Z"' : '0Z"')) }),
  data: ({ data }) => ({ data: replaced(data, /mail/, () => 'mael') }),
  payload: ({ data }) => ({ data: replaced(data, /"at":\d/, () => '"at":9') }),
};

describe('a sealed log, with the events in EventStoreDB,', () => {
  let fixture: PostgresFixture;
  let elsewhere: LogFixture;
  let folder: string;
  let leaders: Leaders;
  let term: LeaderTerm;
  let kept: { readonly name: string; readonly text: string };
  let key: string | null = null;
  /** The whole log of the server, and our events in it. */
  let stored: readonly StoredEvent[];
  let own: readonly StoredEvent[];

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    [fixture, elsewhere] = await Promise.all([openPostgresStore(), openLog()]);
    folder = await mkdtemp(join(tmpdir(), 'waybill-seals-elsewhere-'));
    leaders = new Leaders(fixture.pool);
    term = (await leaders.tryToLead('notary'))!.term;
    // Gives the store its name.
    expect(await verified([])).toEqual([]);
    for (let at = 0; at < EVENTS; at++) await elsewhere.log.append([enqueue('mail', { payload: { at } })]);
    await work(folder);
    kept = { name: 'kept', text: await readFile(join(folder, 'seal'), 'utf8') };
    key = (await readFile(join(folder, 'key.pub'), 'utf8')).trim();
    stored = [...elsewhere.server.log.all];
    own = stored.filter(({ stream }) => stream.startsWith(`${elsewhere.prefix}task-`));
    await query('create table kept_tiles as table seal_tiles; create table kept_tree as table log_tree');
  });
  afterEach(async () => {
    become(stored);
    await query(
      `${EMPTY_TREE}; insert into seal_tiles select * from kept_tiles; insert into log_tree select * from kept_tree`,
    );
  });
  afterAll(async () => {
    await leaders.close();
    await elsewhere.close();
    await fixture.close();
    await rm(folder, { recursive: true });
  });

  const EMPTY_TREE = 'truncate log_tree, seal_tiles';
  const query = (sql: string) => fixture.pool.query(sql);

  /** What whoever rules the server can do: it has these events, and no others. */
  function become(events: readonly StoredEvent[]): void {
    const { all } = elsewhere.server.log;
    all.splice(0, all.length, ...events);
  }

  /** The whole log, with these events of ours changed. */
  const changed = (from: number, to: number, change: (event: StoredEvent) => Partial<StoredEvent>) =>
    stored.map((event) => (own.slice(from, to).includes(event) ? { ...event, ...change(event) } : event));

  /** The whole log, with our first events only. */
  const begun = (events: number) => stored.filter((event) => !own.slice(events).includes(event));

  /** By a process that has read nothing yet. */
  async function leaves<T>(read: (leaves: EventStoreDbLeaves) => Promise<T>): Promise<T> {
    const { log, close } = await openLog({ on: elsewhere.server, prefix: elsewhere.prefix });
    try {
      return await read(new EventStoreDbLeaves(log));
    } finally {
      await close();
    }
  }

  /** Lets a notary with this folder do what there is to do. */
  const work = (of: string): Promise<void> =>
    leaves(async (from) => {
      const parts = { leaves: from, tree: new LogTree(fixture.pool), notice: new NotaryNotice(fixture.pool) };
      const notary = new Notary({ ...parts, folder: of }, leaders);
      while ((await notary.round(term)) === 0);
    });

  async function verified(seals: readonly { readonly name: string; readonly text: string }[] = [kept]) {
    const findings: ToldFinding[] = [];
    const env = {
      DATABASE_URL: fixture.url,
      EVENT_STORE_URL: elsewhere.server.url,
      EVENT_STORE_PREFIX: elsewhere.prefix,
    };
    const onFinding = (finding: ToldFinding) => void findings.push(finding);
    const result = await verifyLog(env, { key, seals, witnesses: [], onFinding });
    expect(result).toMatchObject({ findings: findings.length });
    return findings;
  }

  it('agrees with the seal and with the tree', async () => {
    expect(await verified()).toEqual([]);
  });

  it.each(Object.keys(OTHER))('H-31 shows a changed %s of any event, with its position', async (what) => {
    for (let at = 0; at < EVENTS; at += 3) {
      become(changed(at, at + 1, OTHER[what]!));
      const [event] = elsewhere.server.log.all.filter((_, place) => stored[place] === own[at]);
      expect((await verified())[0]).toMatchObject({ kind: 'ALTERED', position: String(event!.position) });
    }
  });

  it('H-32 shows deletion, insertion, a swap, a cut tail, a fork and a restored backup by a kept seal, and none is signed', async () => {
    const [third, fourth] = [own[3]!, own[4]!];
    const added = { ...third, id: randomUUID(), position: third.position + 1n, stream: bumped(third.stream) };
    const attacks: Readonly<Record<string, readonly [readonly StoredEvent[], string]>> = {
      deletion: [stored.filter((event) => event !== third), 'SHORTER'],
      insertion: [stored.flatMap((event) => (event === third ? [event, added] : [event])), 'CONFLICT'],
      swap: [changed(3, 5, (event) => ({ data: (event === third ? fourth : third).data })), 'CONFLICT'],
      'cut tail': [begun(5), 'SHORTER'],
      fork: [changed(6, 7, OTHER['payload']!), 'CONFLICT'],
      'restored backup, with its seals': [begun(3), 'SHORTER'],
    };
    const before = await readFile(join(folder, 'seal'), 'utf8');
    for (const [what, [events, kind]] of Object.entries(attacks)) {
      become(events);
      await query(`${EMPTY_TREE}; delete from seals where size > 3 and ${what.startsWith('restored')}`);
      const findings = await verified();
      expect([what, findings.map((one) => one.kind)]).toEqual([what, expect.arrayContaining([kind])]);
      await expect(work(folder)).rejects.toThrow(
        /were signed: it was set back$|does not begin with the \d+ that were signed$/,
      );
      expect(await readFile(join(folder, 'seal'), 'utf8')).toBe(before);
    }
  });

  it('H-34 that was rewritten and sealed again with the key of the notary conflicts with a kept seal, and both are printed', async () => {
    become(changed(1, 2, OTHER['payload']!));
    await query(`${EMPTY_TREE}; truncate seals`);
    const thief = await mkdtemp(join(tmpdir(), 'waybill-thief-'));
    for (const file of ['key.pem', 'key.pub']) await copyFile(join(folder, file), join(thief, file));
    const nothing = `${key!.split('+')[0]}\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n`;
    await writeFile(join(thief, 'signed.0'), nothing);
    await work(thief);
    const forged = { name: 'forged', text: await readFile(join(thief, 'seal'), 'utf8') };
    await rm(thief, { recursive: true });
    expect(await verified([forged])).toEqual([]);
    const [conflict, ...more] = await verified([forged, kept]);
    expect([conflict, more]).toMatchObject([{ kind: 'CONFLICT', says: expect.stringContaining(kept.text) }, []]);
    expect(conflict!.says).toContain(forged.text);
  });

  it.each(SEALING_POINTS)(
    'H-37 never has two roots of one size signed by two notaries, one of which stands still at "$part $method" over a restored backup',
    async (point) => {
      const sealed = await leaves((from) =>
        new DoubledNotaries(fixture.pool, from, leaders).seal(point, {
          shorten: () => Promise.resolve(become(begun(5))).then(() => query(EMPTY_TREE)),
          grow: () => Promise.resolve(become(stored)),
          fork: () => Promise.resolve(become(changed(5, EVENTS, OTHER['payload']!))).then(() => query(EMPTY_TREE)),
        }),
      );
      // Whoever remembers first signs.
      expect(sealed).toEqual({ roots: [1, 1], hasOtherSealed: !point.hasSigned });
    },
  );
});
