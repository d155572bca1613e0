import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { rebuilt } from '../support/rebuilt.js';
import { LINEAGE_KINDS } from '../../src/projections/lineage/lineage-kinds.js';
import { violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, type CrashPoint, lastWords } from './crash-points.js';
import { PATIENT } from './load.js';
import { freePort } from './ports.js';
import { Run } from './run.js';
import type { ServiceProcess } from './service-process.js';

/** Two pages of an operation that gives its command to five tasks a second. */
const MANY = 8;
const PER_SECOND = 5;

const FIRST = 'firsts';
const SECOND = 'seconds';

export const at = (point: CrashPoint, passage = 1): Crash => ({ point, passage });

/** Where processes die: those that get a request, carry out an operation, and write the lineage. */
export interface Deaths {
  readonly requests: readonly Crash[];
  readonly steward: readonly Crash[];
  readonly follower: readonly Crash[];
}

export function describeKills({ requests, steward, follower }: Deaths): void {
  describe('kill -9 of whoever runs tasks again', () => {
    let runs: SecondRuns;
    beforeAll(async () => {
      runs = await SecondRuns.open();
    });
    afterAll(() => runs.run.close());

    it('leaves one new task for each ended one and each order, and one link for each cause that is named', async () => {
      const projected = runs.project(follower);
      // A test that has failed before it awaits this must not fail the next spec of its worker, too.
      projected.catch(() => undefined);
      const single = await runs.ended(requests.length);
      for (const [index, task] of single.entries()) await runs.runAgain(task, requests[index]!);
      const many = await runs.ended(MANY);
      const operation = await runs.order(many, PER_SECOND);
      for (const crash of steward) await runs.killed('steward', crash);
      const last = await runs.service('steward');
      expect(await runs.endOf(operation)).toMatchObject({ result: { asked: MANY, done: MANY, refused: {} } });
      await last.kill();

      const firsts = [...single, ...many].sort();
      const seconds = await runs.seconds();
      expect(seconds.map(({ rerunOf }) => rerunOf)).toEqual(firsts);
      for (const { rerunOf, payload } of seconds)
        expect(payload).toEqual(many.includes(rerunOf) ? { again: true } : { n: single.indexOf(rerunOf) });

      await projected;
      await runs.run.caughtUp();
      expect(await runs.causes('rerun')).toEqual(firsts);
      expect(await runs.causes('operation')).toEqual(Array(MANY).fill(operation));
      await runs.expectWhole();
    }, 600_000);
  });
}

/** Ended tasks that are run again, by processes that die meanwhile. */
class SecondRuns {
  private constructor(
    readonly run: Run,
    readonly waybill: Waybill,
  ) {}

  /** Nobody carries out operations, or writes the lineage. */
  static async open(): Promise<SecondRuns> {
    const run = await Run.open();
    await run.service({ env: { WAYBILL_ROLES: 'api,reactor,sweeper,relay' } }).ready();
    const waybill = run.client();
    for (const queue of [FIRST, SECOND]) await waybill.queue(queue).define({}, { retry: PATIENT });
    return new SecondRuns(run, waybill);
  }

  async service(roles: string, crash?: Crash): Promise<ServiceProcess> {
    return this.run.service({ port: await freePort(), env: { WAYBILL_ROLES: roles }, ...(crash && { crash }) });
  }

  async killed(roles: string, crash: Crash): Promise<void> {
    await this.dies(await this.service(roles, crash), crash);
    await loseWorkers(this.run.pool, 'waybill.operations');
  }

  /** One projector after the other, each until it dies, and then one that lives. With the events elsewhere, commands wait for it. */
  async project(crashes: readonly Crash[]): Promise<void> {
    for (const crash of crashes) await this.killed('projector', crash);
    await this.service('projector');
  }

  async dies(service: ServiceProcess, crash: Crash): Promise<void> {
    expect([await service.ended, service.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(service.lines).toContain(lastWords(crash));
  }

  async ended(count: number): Promise<readonly string[]> {
    const queue = this.waybill.queue(FIRST);
    const payloads = Array.from({ length: count }, (_, n) => ({ payload: { n } }));
    const made = await queue.enqueueMany(payloads, { retry: PATIENT });
    const ids = made.map((one) => (one as { id: string }).id);
    for (const id of ids) await this.waybill.task(id).abort({ retry: PATIENT });
    return ids;
  }

  /** Runs the tasks again in another process, which dies with the request. The same request to this one succeeds. */
  async runAgain(task: string, crash: Crash): Promise<string> {
    const dying = await this.service('api', crash);
    const { url } = await dying.ready();
    const options = { queue: SECOND, idempotencyKey: `again-${task}`, retry: { attempts: 1 } };
    await expect(this.run.client(url).task(task).runAgain('blank', options)).rejects.toThrow(/./);
    await this.dies(dying, crash);
    return (await this.waybill.task(task).runAgain('blank', { ...options, retry: PATIENT })).id;
  }

  /** Orders that each of them runs again, page by page. */
  async order(tasks: readonly string[], perSecond: number): Promise<string> {
    const again = { queue: SECOND, payload: { again: true } };
    const { id } = await this.waybill.operate(
      'runAgain',
      { tasks },
      { reason: 'blank', perSecond, again, retry: PATIENT },
    );
    return id!;
  }

  endOf(operation: string) {
    return until('the operation to end', async () => {
      const task = await this.waybill.task(operation).get();
      return task.finishedAt === null ? null : task;
    });
  }

  /** The first runs of the second ones, and the payloads of these. */
  async seconds() {
    const found: { rerunOf: string; payload: unknown }[] = [];
    for await (const { id } of this.waybill.tasks.list({ queue: SECOND })) {
      const { rerunOf, payload } = await this.waybill.task(id).get();
      found.push({ rerunOf: rerunOf!, payload });
    }
    return found.sort((one, other) => (one.rerunOf < other.rerunOf ? -1 : 1));
  }

  /** Each link of the kind once, by its cause. */
  async causes(kind: 'rerun' | 'operation'): Promise<readonly string[]> {
    const text = 'select cause from lineage where kind = $1 order by cause';
    const { rows } = await this.run.pool.query<{ cause: string }>(text, [LINEAGE_KINDS.indexOf(kind)]);
    return rows.map(({ cause }) => cause);
  }

  async expectWhole(): Promise<void> {
    for await (const { id } of this.waybill.tasks.list({ queue: SECOND, state: 'pending' }))
      await this.waybill.task(id).abort({ retry: PATIENT });
    await this.run.settled();
    await this.service('steward');
    expect(await rebuilt(this.waybill, 'lineage', 'diff')).toEqual(['0 rows']);
    expect(violationsOf(await this.run.history())).toEqual([]);
  }
}
