import type { TaskDetails, Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type Violation, violationsOf } from '../support/history-checker.js';
import { loseWorkers } from '../support/leases.js';
import { until } from '../support/until.js';
import { type Crash, lastWords } from './crash-points.js';
import { PATIENT } from './load.js';
import { freePort } from './ports.js';
import { Run } from './run.js';

const QUEUE = 'papers';
const ROOTS = 6;
const RETRY = { retry: PATIENT };

/** By task, what it waits for. */
export type Needs = ReadonlyMap<string, readonly string[]>;

/** An abort that takes others along, and stewards that die while they undo it. */
export class UndoKills {
  readonly waybill: Waybill;

  private constructor(private readonly run: Run) {
    this.waybill = run.client();
  }

  static async open(): Promise<UndoKills> {
    const run = await Run.open();
    await run.service({ env: { WAYBILL_ROLES: 'api,projector,reactor,sweeper,relay' } }).ready();
    const kills = new UndoKills(run);
    await kills.waybill.queue(QUEUE).define({}, RETRY);
    return kills;
  }

  close(): Promise<void> {
    return this.run.close();
  }

  /** Some tasks, two that wait for each of them, and one that waits for these two. */
  async graph(): Promise<Needs> {
    const needs = new Map<string, readonly string[]>();
    for (let at = 0; at < ROOTS; at++) {
      const [root, left, right, join] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
      needs.set(root, []).set(left, [root]).set(right, [root]).set(join, [left, right]);
    }
    const tasks = [...needs].map(([id, after]) => ({ id, after: after.map((task) => ({ task })) }));
    await this.waybill.queue(QUEUE).enqueueMany(tasks, RETRY);
    return needs;
  }

  /** Aborts those that wait for nothing, and waits for the others. Returns the operation's id. */
  async abort(needs: Needs): Promise<string> {
    const tasks = [...needs].flatMap(([id, after]) => (after.length === 0 ? [id] : []));
    const { id } = await this.waybill.operate('abort', { tasks }, RETRY);
    await this.carriedOut(id!);
    await until('all to be aborted', async () =>
      (await this.doneTo('TaskAborted', id!)).length === needs.size ? true : null,
    );
    return id!;
  }

  private async steward(crash?: Crash) {
    return this.run.service({ port: await freePort(), env: { WAYBILL_ROLES: 'steward' }, ...(crash && { crash }) });
  }

  /** How a steward ended that was to die there. */
  async killed(crash: Crash): Promise<object> {
    const one = await this.steward(crash);
    const end = await one.ended;
    await loseWorkers(this.run.pool, 'waybill.operations');
    return { ...end, errors: one.errors, said: one.lines.includes(lastWords(crash)) };
  }

  /** Another steward ends the operation. Answers with its task. */
  async carriedOut(id: string): Promise<TaskDetails> {
    const last = await this.steward();
    const ended = await until(`operation '${id}' to end`, async () => {
      const task = await this.waybill.task(id).get(RETRY);
      return task.finishedAt === null ? null : task;
    });
    await last.kill();
    return ended;
  }

  /** The tasks that have such an event of the operation, in the order of the log. */
  async doneTo(type: 'TaskAborted' | 'TaskRestored', operation: string): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { stream, envelope } of this.waybill.events({ queue: QUEUE, type }))
      if (envelope.correlationId === operation) found.push(stream.slice('task-'.length));
    return found;
  }

  /** Lets all that waits succeed, and checks the history. */
  async violations(): Promise<readonly Violation[]> {
    for (;;) {
      const claimed = await this.waybill.queue(QUEUE).claim({ worker: 'w', max: 50 }, RETRY);
      if (claimed.length === 0 && (await this.open()) === 0) break;
      const settled = claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } as const }));
      if (settled.length > 0) await this.waybill.settle(settled, RETRY);
    }
    await this.run.settled();
    return violationsOf(await this.run.history());
  }

  private async open(): Promise<number> {
    const { rows } = await this.run.pool.query<{ open: number }>(
      `select count(*)::int as open from tasks where queue = $1 and state in ('pending', 'running')`,
      [QUEUE],
    );
    return rows[0]!.open;
  }
}
