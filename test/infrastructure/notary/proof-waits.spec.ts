import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { LeaderTerm } from '../../../src/application/kernel/leader-term.js';
import { Signal } from '../../../src/application/kernel/signal.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { LogTree } from '../../../src/infrastructure/notary/log-tree.js';
import { Notary } from '../../../src/infrastructure/notary/notary.js';
import { NotaryNotice } from '../../../src/infrastructure/notary/notary-notice.js';
import { PostgresLeaves } from '../../../src/infrastructure/notary/postgres-leaves.js';
import { StoredProofs } from '../../../src/infrastructure/notary/stored-proofs.js';
import { PostgresWakeUps } from '../../../src/infrastructure/notify/postgres-wake-ups.js';
import { GetTaskProof, GetTaskProofHandler } from '../../../src/projections/seals/get-task-proof.query.js';
import type { SealChanges } from '../../../src/projections/seals/seal-changes.port.js';
import { enqueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { StandingStill } from '../../support/standing-still.js';

const TASK = '019ab000-0000-7000-8000-000000000001';

describe('a proof that waits for its seal', () => {
  let fixture: PostgresFixture;
  let folder: string;
  let leaders: Leaders;
  let term: LeaderTerm;
  /** Of the process that seals, and of the one that is asked. */
  let sealing: PostgresWakeUps;
  let asked: PostgresWakeUps;
  let notary: Notary;
  let changed: Signal;

  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    fixture = await openPostgresStore();
    folder = await mkdtemp(join(tmpdir(), 'waybill-proof-waits-'));
    leaders = new Leaders(fixture.pool);
    term = (await leaders.tryToLead('notary'))!.term;
    [sealing, asked] = [new PostgresWakeUps(fixture.pool), new PostgresWakeUps(fixture.pool)];
    await asked.onApplicationBootstrap();
    changed = new Signal();
    asked.onSealsChanged(() => changed.emit());
    const { pool, store } = fixture;
    const parts = { leaves: new PostgresLeaves(pool), tree: new LogTree(pool), notice: new NotaryNotice(pool) };
    notary = new Notary({ ...parts, folder, wakeUps: sealing }, leaders);
    await store.append([enqueue('mail')]);
    const told = toldOf();
    await seal();
    await told;
    await store.append([enqueue('mail', {}, undefined, TASK)]);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const wakeUps of [sealing, asked]) wakeUps.onApplicationShutdown();
    await leaders.close();
    await fixture.close();
    await rm(folder, { recursive: true });
  });

  async function seal(): Promise<void> {
    while ((await notary.round(term)) === 0);
  }

  /** Resolves when the process that is asked hears of the next change. */
  const toldOf = (): Promise<void> => changed.past(changed.count, new AbortController().signal);

  /** Where the service looks for the seal. */
  const database = () => ({
    query: jest.fn(async (text: string) => (await fixture.pool.query(text)).rows),
  });

  function proof(db: { readonly query: unknown }, changes: SealChanges, signal = new AbortController().signal) {
    const proofs = new StoredProofs(new PostgresLeaves(fixture.pool), new LogTree(fixture.pool), false);
    const handler = new GetTaskProofHandler(db as DataSource, fixture.store, proofs, changes);
    return handler.execute(new GetTaskProof(TASK, false, signal));
  }

  /** Wakes nobody because of the time. */
  const untimed: SealChanges = {
    get count() {
      return changed.count;
    },
    past: (count, signal) => changed.past(count, signal),
  };

  it('is answered once another process tells of the seal, after a second look', async () => {
    const db = database();
    const standing = new StandingStill(db, 'query');
    const answer = proof(standing.part, untimed);
    await standing.stands;
    standing.goOn();
    await seal();
    expect(await answer).toMatchObject({ task: TASK, segments: [{ position: '2' }] });
    expect(db.query).toHaveBeenCalledTimes(2);
  });

  it('misses no seal that comes while it looks', async () => {
    const standing = new StandingStill(database(), 'query');
    const answer = proof(standing.part, untimed);
    await standing.stands;
    const told = toldOf();
    await seal();
    await told;
    standing.goOn();
    expect(await answer).toMatchObject({ task: TASK });
  });

  it('is refused once another process tells why it seals nothing', async () => {
    const standing = new StandingStill(database(), 'query');
    const answer = proof(standing.part, untimed);
    await standing.stands;
    standing.goOn();
    for (const file of await readdir(folder)) if (file.startsWith('signed.')) await rm(join(folder, file));
    await Promise.all([
      expect(answer).rejects.toThrow('the notary signs nothing: Expected what was signed last in'),
      expect(seal()).rejects.toThrow('Expected what was signed last in'),
    ]);
  });

  it('looks by itself every five seconds if nobody tells, and is refused after 20', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const waits: number[] = [];
    const past: SealChanges['past'] = (_, __, timeoutMs) => {
      waits.push(timeoutMs);
      now += timeoutMs;
      return Promise.resolve();
    };
    await expect(proof(database(), { count: 0, past })).rejects.toThrow('there is none after 20000 ms');
    expect(waits).toEqual([5_000, 5_000, 5_000, 5_000]);
  });

  it('ends when nobody waits for the answer', async () => {
    const [standing, caller] = [new StandingStill(database(), 'query'), new AbortController()];
    const answer = proof(standing.part, untimed, caller.signal);
    await standing.stands;
    standing.goOn();
    caller.abort();
    await expect(answer).rejects.toThrow('aborted');
  });
});
