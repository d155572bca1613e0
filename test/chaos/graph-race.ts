import type { ClaimedTask, NewTask, Prerequisite, TaskHandle, Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { jitter } from '../support/jitter.js';
import { PLAIN } from './load.js';
import { attempt, Participants } from './participants.js';

/** Few, so that everybody links, runs and ends the same ones. */
const SEEN = `select task_id as id, state, batch from tasks
  where state in ('pending', 'held', 'running', 'failed', 'cancelled') order by task_id desc limit 12`;
const BATCHES = `select id, state, total from batches order by id desc limit 3`;
const OPEN_NEED = 'select needs from prerequisites where task_id = $1 and not closed limit 1';
const MOST_OPEN = 40;
const LEASE_MS = 1_000;
const LINKERS = 3;

const below = (number: number): number => Math.floor(Math.random() * number);
const oneOf = <T>(of: readonly T[]): T => of[below(of.length)]!;
const happens = (share: number): boolean => Math.random() < share;

interface SeenTask {
  readonly id: string;
  readonly state: string;
  readonly batch: string | null;
}

interface SeenBatch {
  readonly id: string;
  readonly state: string;
  readonly total: number;
}

/** What must have happened for the race to be one. */
const EVERY = [
  'arrange',
  'waive',
  'abort',
  'delete',
  'retry',
  'open',
  'abort batch',
  'delete batch',
  'PREREQUISITE_CYCLE',
  'PREREQUISITE_DEAD',
  'BATCH_INCOMPLETE',
  'BATCH_ENDED',
] as const;

/** Claimers, and people who link the same few tasks to each other and to batches, and end tasks and batches. */
export class GraphRace extends Participants {
  private tasks: readonly SeenTask[] = [];
  private batches: readonly SeenBatch[] = [];
  /** What succeeded, and the refusals. */
  private readonly done = new Set<string>();

  constructor(
    private readonly services: readonly Waybill[],
    private readonly pool: PostgresPool,
  ) {
    super();
  }

  /** What has not happened yet. */
  get missing(): readonly string[] {
    return EVERY.filter((one) => !this.done.has(one));
  }

  start(): void {
    this.whileRacing(() => this.look());
    this.services.forEach((waybill, at) => {
      for (const n of [1, 2]) this.untilOver(() => this.claim(waybill, `s${at}`, `w${at}-${n}`));
      this.whileRacing(() => this.produce(waybill));
      for (let n = 0; n < LINKERS; n++) this.whileRacing(() => this.link(waybill));
      this.whileRacing(() => this.endSome(waybill));
      this.whileRacing(() => this.group(waybill));
    });
  }

  /** Lets the workers finish what can be finished: nothing waits for what was left failed, held or planned. */
  async workOff(): Promise<void> {
    this.phase = 'calm';
    const [waybill] = this.services;
    const left = await this.pool.query<SeenTask>(`select task_id as id, state from tasks
      where state in ('failed', 'cancelled', 'held') and exists (select from tasks where state in ('pending', 'held', 'running'))`);
    for (const { id, state } of left.rows)
      await attempt(() => (state === 'held' ? waybill!.task(id).release() : waybill!.task(id).retry()));
    const stuck = await this.pool.query<SeenBatch>(`select id from batches
      where state = 'planning' or state = 'failed' and aborted + deleted > 0 and awaited`);
    for (const { id } of stuck.rows) await attempt(() => waybill!.batch(id).abort());
  }

  private async try(what: string, step: () => Promise<unknown>): Promise<void> {
    const code = await attempt(step);
    this.done.add(code ?? what);
  }

  /** Reads what participants then act on, which others change meanwhile. */
  private async look(): Promise<void> {
    this.tasks = (await this.pool.query<SeenTask>(SEEN)).rows;
    this.batches = (await this.pool.query<SeenBatch>(BATCHES)).rows;
    await jitter(20);
  }

  private async produce(waybill: Waybill): Promise<void> {
    await jitter(15);
    const { rows } = await this.pool.query<{ open: number }>(
      `select count(*)::int as open from tasks where state in ('pending', 'held')`,
    );
    if (rows[0]!.open > MOST_OPEN) return;
    const outcomes = await waybill.queue(PLAIN).enqueueMany([this.newTask(), this.newTask()]);
    for (const outcome of outcomes) if ('problem' in outcome) this.done.add(outcome.problem.code);
  }

  private newTask(): NewTask {
    const after = happens(0.5) ? [this.prerequisite(), this.prerequisite()].flatMap((one) => one ?? []) : [];
    const batch = happens(0.5) ? this.someBatch() : undefined;
    return { id: uuidv7(), payload: null, ...(after.length > 0 && { after }), ...(batch && { batch: batch.id }) };
  }

  private someBatch(): SeenBatch | undefined {
    return this.batches.length > 0 ? oneOf(this.batches) : undefined;
  }

  private prerequisite(): Prerequisite | null {
    const ignore = happens(0.3) ? { ignore: true as const } : {};
    const batch = happens(0.2) ? this.someBatch() : undefined;
    if (batch) return { batch: batch.id, ...ignore };
    return this.tasks.length > 0 ? { task: oneOf(this.tasks).id, ...ignore } : null;
  }

  private async link(waybill: Waybill): Promise<void> {
    await jitter(8);
    const [one, other] = [this.someTask(waybill), this.prerequisite()];
    if (!one || !other) return;
    if (happens(0.7)) return this.try('arrange', () => one.arrange({ add: [other] }));
    const { rows } = await this.pool.query<{ needs: string }>(OPEN_NEED, [one.id]);
    const waive = rows.map(({ needs }) => needs);
    if (waive.length > 0) await this.try('waive', () => one.arrange({ waive }));
  }

  private someTask(waybill: Waybill): TaskHandle | null {
    return this.tasks.length > 0 ? waybill.task(oneOf(this.tasks).id) : null;
  }

  private async endSome(waybill: Waybill): Promise<void> {
    await jitter(60);
    const task = this.someTask(waybill);
    if (!task) return;
    const what = oneOf(['abort', 'delete', 'retry', 'retry', 'cancel'] as const);
    await this.try(what, () => task[what]());
  }

  private async group(waybill: Waybill): Promise<void> {
    await jitter(40);
    if (happens(0.2)) await waybill.planBatch({ name: 'b' }).create();
    const batch = this.someBatch();
    if (!batch) return;
    const handle = waybill.batch(batch.id);
    if (happens(0.8)) return this.try('open', () => handle.open(batch.total));
    if (happens(0.5)) return this.try('abort batch', () => handle.abort());
    return this.try('delete batch', () => handle.delete());
  }

  private async claim(waybill: Waybill, server: string, worker: string): Promise<void> {
    const request = { worker, server, max: 1 + below(3), waitMs: 100, leaseMs: LEASE_MS };
    const claimedTasks = await waybill.queue(PLAIN).claim(request);
    await jitter(20);
    for (const claimedTask of claimedTasks) await attempt(() => this.settle(waybill, claimedTask));
  }

  private async settle(waybill: Waybill, { taskId, token }: ClaimedTask): Promise<void> {
    const isFailure = this.phase === 'racing' && happens(0.3);
    const verdict = isFailure
      ? { type: 'fail' as const, error: { message: 'no', class: 'business' as const } }
      : { type: 'succeed' as const };
    await waybill.settle([{ taskId, token, verdict }]);
  }
}
