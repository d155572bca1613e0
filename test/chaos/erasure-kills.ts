import type { TaskDetails, Waybill } from '@waybill/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { isErasure } from '../../src/domain/erased-by.js';
import { refusalOf } from '../acceptance/refusal.js';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { tablesWith } from '../support/tables-with.js';
import { until } from '../support/until.js';
import { type Crash, lastWords } from './crash-points.js';
import { freePort } from './ports.js';
import { Run } from './run.js';

const ERASURES = 'waybill.erasures';

/** Where a steward dies: the event is recorded and the halves are there, and they are gone. */
export const KILLS: readonly Crash[] = [
  { point: 'before-halves', passage: 1 },
  { point: 'after-halves', passage: 1 },
  { point: 'before-halves', passage: 3 },
  { point: 'after-halves', passage: 3 },
];

/** A service without a steward, and stewards that die in erasures. */
export class ErasureKills {
  private constructor(
    readonly run: Run,
    readonly waybill: Waybill,
    /** With the keys of its notary. */
    readonly folder: string,
  ) {}

  /** Has one erasure carried out: its order defines the queue for which a steward looks when it starts. */
  static async open(): Promise<ErasureKills> {
    const run = await Run.open(undefined, true);
    const folder = await mkdtemp(join(tmpdir(), 'waybill-kills-'));
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,sweeper', WAYBILL_NOTARY_DIR: folder } }).ready();
    const kills = new ErasureKills(run, run.client(), folder);
    await kills.waybill.queue('items').define({});
    const [first] = await kills.waybill.queue('items').enqueueMany([{ id: uuidv7(), payload: 1 }]);
    const { id } = await kills.waybill.erase({ task: (first as { id: string }).id }, 'Art. 17', { abortOpen: true });
    await kills.ended(id!);
    return kills;
  }

  async close(): Promise<void> {
    await this.run.close();
    await rm(this.folder, { recursive: true });
  }

  /** Has a steward die in the erasure. Another one can take it over at once. */
  async kill(id: string, crash: Crash): Promise<void> {
    const killed = await this.steward(crash);
    expect([await killed.ended, killed.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(killed.lines).toContain(lastWords(crash));
    expect((await refusalOf(this.waybill.erasureCertificate(id))).code).toBe('ERASURE_NOT_DONE');
    await loseWorkers(this.run.pool, ERASURES);
  }

  /** By another steward. */
  async ended(id: string): Promise<TaskDetails> {
    const other = await this.steward();
    const found = await until('the erasure to end', async () => {
      const one = await this.waybill.task(id).get();
      return one.finishedAt === null ? null : one;
    });
    await other.kill();
    return found;
  }

  /** Nothing has the mark, everything was erased once, and the history holds. */
  async leftNothing(mark: string): Promise<void> {
    await this.run.settled();
    const history = await this.run.history();
    const erased = history.events.filter(({ event }) => isErasure(event.type));
    expect(new Set(erased.map(({ stream }) => stream)).size).toBe(erased.length);
    expect(await tablesWith(mark, this.run.pool)).toEqual([]);
    // By an auditor, who reads what the store has with the keys that are left.
    expect(JSON.stringify(history.events.map(({ event }) => event))).not.toContain(mark);
    expect(violationsOf(history)).toEqual([]);
  }

  private readonly steward = async (crash?: Crash) =>
    this.run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' }, ...(crash && { crash }) });
}
