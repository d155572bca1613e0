import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { type Command, CommandBus, QueryBus } from '@nestjs/cqrs';
import type { INestApplicationContext } from '@nestjs/common';
import type { ClaimAnswer, ClaimedTask } from '../../src/application/claims/claim-source.port.js';
import { ClaimTasks } from '../../src/application/claims/claim-tasks.handler.js';
import { ExpireLeases } from '../../src/application/claims/expire-leases.handler.js';
import { TakeFromSilentConsumers } from '../../src/application/claims/take-from-silent-consumers.handler.js';
import { SettleTasks, type Verdict as RealVerdict } from '../../src/application/claims/settle-tasks.handler.js';
import { Refused } from '../../src/application/kernel/application-error.js';
import { OperateBatch } from '../../src/application/batches/operate-batch.handler.js';
import { LiftHold, PlaceHold } from '../../src/application/holds/operate-hold.handler.js';
import { MeasureResource } from '../../src/application/resources/measure-resource.handler.js';
import { DefineResource } from '../../src/application/resources/operate-resource.handler.js';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import { OperateQueue } from '../../src/application/queues/operate-queue.handler.js';
import { OperateTrigger } from '../../src/application/triggers/operate-trigger.handler.js';
import { FireTrigger } from '../../src/application/triggers/fire-trigger.handler.js';
import { OperateTask } from '../../src/application/tasks/operate-task.handler.js';
import { KeepTimeLimits } from '../../src/application/tasks/keep-time-limits.handler.js';
import { EnqueueTasks } from '../../src/application/tasks/enqueue-tasks.handler.js';
import type { Concurrency, LabelLimits } from '../../src/domain/queue/queue.policy.js';
import type { StepPolicy } from '../../src/domain/task/failure-policy.js';
import { CoreModule } from '../../src/bootstrap/core.module.js';
import { DatabaseClock } from '../../src/infrastructure/database/database-clock.js';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { EventStore } from '../../src/application/kernel/event-store.port.js';
import { WakeUps } from '../../src/application/kernel/wake-ups.port.js';
import { PostgresQuarantine } from '../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { Consequences } from '../../src/infrastructure/dispatch-index/consequences.js';
import { EndOverBatches } from '../../src/infrastructure/sweeper/chores/end-over-batches.js';
import type { Chore } from '../../src/infrastructure/sweeper/chore.js';
import { Leaders, type Leadership } from '../../src/infrastructure/leadership/leaders.js';
import type { LeaderTerm } from '../../src/application/kernel/leader-term.js';
import { CarryOutConsequences } from '../../src/infrastructure/sweeper/chores/carry-out-consequences.js';
import { FailingItems } from '../../src/infrastructure/sweeper/failing-items.js';
import { StrayRows } from '../../src/infrastructure/sweeper/stray-rows.js';
import { DueWork } from '../../src/infrastructure/sweeper/due-work.js';
import type { TaskPage } from '../../src/projections/tasks/list-tasks.query.js';
import { ListTasksAsOf } from '../../src/projections/tasks/list-tasks-as-of.query.js';
import { ExplainTask, type TaskExplanation } from '../../src/projections/task-why/explain-task.query.js';
import { passLease } from '../support/leases.js';
import { createTestDatabase } from '../support/test-database.js';
import type { ModelTask, Needs } from './model-task.js';
import { WEIGHT } from './model-turns.js';
import { RealMistakes } from './real-mistakes.js';
import {
  type Asked,
  type Enqueued,
  JOB_SIZE,
  type NewTask,
  type Operation,
  type Rules,
  type Undoable,
  type Verdict,
} from './queue-model.js';

const BY = { actor: 'ann', correlationId: 'model' };
/** More than all lives leave behind: nobody ends the leases of those that are over. */
const MOST_LEASES = 1_000_000;
/** More than a history has. */
const MOST_TASKS = 500;
const HOUR_MS = 3_600_000;
/** What some tasks need of their worker. */
const OFFERED = { gpu: true };
const DAY_S = 86_400;
/** Of the resource. */
const LIMIT = 50;
const later = (): string => new Date(Date.now() + HOUR_MS).toISOString();

const VERDICTS: Readonly<Record<Exclude<Verdict, 'continue' | 'offer' | 'wait'>, RealVerdict>> = {
  succeed: { type: 'succeed' },
  fail: { type: 'fail', error: { message: 'no', class: 'business' } },
  'fail-transient': { type: 'fail', error: { message: 'not now', class: 'transient' } },
  return: { type: 'return' },
  'return-unstarted': { type: 'return', unstarted: true },
  confirmCancel: { type: 'confirmCancel' },
};

/** The service in this process, without the roles that act by themselves. */
export class RealService {
  private leaders: Leaders | null = null;
  private sweeping: Promise<Leadership | null> | null = null;

  private constructor(
    private readonly application: INestApplicationContext,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(): Promise<RealService> {
    const { url, drop } = await createTestDatabase();
    const core = await CoreModule.for({
      databaseUrl: url,
      poolSize: 10,
      reads: { poolSize: 4, statementMs: 10_000 },
      roles: [],
    });
    const application = await NestFactory.createApplicationContext(core, { logger: ['error'] });
    await application.get(DatabaseClock).start();
    return new RealService(application, drop);
  }

  get pool(): PostgresPool {
    return this.application.get(PostgresPool);
  }

  /** The service runs no roles, so nobody else sweeps. */
  async term(): Promise<LeaderTerm> {
    this.leaders ??= new Leaders(this.pool);
    this.sweeping ??= this.leaders.tryToLead('sweeper');
    return (await this.sweeping)!.term;
  }

  get schedule(): DueWork {
    return new DueWork(this.pool);
  }

  get consequences(): CarryOutConsequences {
    const consequences = new Consequences(this.pool, this.application.get(WakeUps));
    return new CarryOutConsequences(this.application.get(CommandBus), consequences);
  }

  get ends(): EndOverBatches {
    return new EndOverBatches(this.application.get(CommandBus), this.pool);
  }

  get mistakes(): RealMistakes {
    return new RealMistakes(this.application);
  }

  /** What contradicts itself in the index, after a look through all of it. */
  async contradictions(): Promise<readonly object[]> {
    const [store, quarantine] = [this.application.get(EventStore), this.application.get(PostgresQuarantine)];
    const rows = new StrayRows(
      this.pool,
      store,
      quarantine,
      this.application.get(WakeUps),
      new FailingItems(this.pool),
    );
    for (const pass of rows.passes) while (await pass.next());
    return (await this.pool.query<object>('select what from mended_rows union all select error from quarantined')).rows;
  }

  execute<T>(command: Command<T>): Promise<T> {
    return this.application.get(CommandBus).execute(command);
  }

  explain(id: string): Promise<TaskExplanation | null> {
    return this.application.get(QueryBus).execute(new ExplainTask(id));
  }

  head(): Promise<bigint> {
    return this.application.get(EventStore).head();
  }

  async tasksAt(queue: string, position: bigint): Promise<TaskPage['items']> {
    const moment = { position, at: '', alternative: null, settled: true };
    const page = await this.application.get(QueryBus).execute(new ListTasksAsOf({ queue }, moment, null, MOST_TASKS));
    return page.items;
  }

  async define(rules: Rules): Promise<RealQueue> {
    const { blocks, maxRunning, duplicatePending, onFailure, maxAttempts, maxLost, limited } = rules;
    const name = `model-${randomUUID()}`;
    const policy = {
      duplicatePending,
      gather: { quietMs: 0 },
      onFailure,
      maxRunning,
      maxLost,
      maxRunMs: limited ? HOUR_MS : null,
      steps: stepsOf(rules, name),
      onKeyFailure: blocks ? ('block' as const) : ('continue' as const),
      clearFailuresOnSuccess: false,
      retention: { succeeded: 0, failed: 0, cancelled: 0, aborted: 0, superseded: 0, deleted: 0 },
      concurrency: concurrencyOf(rules),
      needs: rules.offers ? {} : null,
      rate: rules.starts === null ? null : rateOf(rules.starts),
      perLabel: perLabelOf(rules, name),
      fair: rules.fair ? { label: 'of', weights: { [name]: WEIGHT } } : null,
      retry: {
        maxAttempts,
        classes: ['transient' as const, 'timeout' as const],
        backoff: { kind: 'fixed' as const, baseMs: HOUR_MS },
      },
    };
    const definition = { description: '', unit: null, staleAfterSeconds: DAY_S };
    if (rules.needs) await this.execute(new DefineResource(name, definition, BY));
    await this.execute(new DefineQueue(name, '', policy, BY));
    const batch = randomUUID();
    await this.execute(new OperateBatch(batch, { type: 'CreateBatch', facts: { name } }, BY));
    return new RealQueue(this, name, batch);
  }

  async stop(): Promise<void> {
    await this.leaders?.close();
    await this.application.close();
    await this.drop();
  }
}

/** The resource has the name of the queue. */
function stepsOf({ steps, needs }: Rules, resource: string): (string | StepPolicy)[] {
  const last = steps.at(-1);
  return steps.map((name) => (needs && name === last ? { name, needs: [{ resource, below: LIMIT }] } : name));
}

type AskedOfQueue = Omit<Asked, 'given'>;

/** The label's value is the name of the queue. */
function perLabelOf({ perValue, startsPerValue }: Rules, value: string): LabelLimits | null {
  if (perValue === null && startsPerValue === null) return null;
  const limits = (of: 'labelled' | 'others') => ({
    ...(perValue && { maxRunning: perValue[of] }),
    ...(startsPerValue && { rate: rateOf(startsPerValue[of]) }),
  });
  return { label: 'of', ...limits('others'), values: [{ value, ...limits('labelled') }] };
}

/** Allows so many starts at once, and the next one after the end of the history. */
const rateOf = (starts: number) => ({ starts: 1, perMs: HOUR_MS, burst: starts });

function concurrencyOf({ serial, perServer }: Rules): Concurrency {
  if (serial) return 'serial';
  return perServer === null ? 'unlimited' : { perServer };
}

interface State {
  readonly id: string;
  readonly status: string;
  readonly priority: number;
  readonly attempt: number;
  readonly step: string | null;
  readonly entered: boolean;
  readonly blockers: number;
}

const namesOf = (needs: Needs) => [...needs].map(([{ id }, ignore]) => ({ task: id, ...(ignore && { ignore }) }));

export interface Claimed {
  readonly id: string;
  readonly payload: unknown;
  readonly attempt: number;
  readonly token: string;
}

const claimed = ({ taskId: id, payload, attempt, token }: ClaimedTask): Claimed => ({ id, payload, attempt, token });

function realVerdict(verdict: Verdict, { step, waits }: ModelTask): RealVerdict {
  if (verdict === 'wait') return { type: 'wait', signal: 'go', number: waits + 1, timeoutMs: HOUR_MS };
  return verdict === 'continue' || verdict === 'offer'
    ? { type: 'completeStep', step: step ?? 'none', then: verdict }
    : VERDICTS[verdict];
}

/** The lift of a hold that was never placed is refused. */
function ifUnknown(error: unknown): void {
  if (!(error instanceof Refused && error.rejection.code === 'HOLD_NOT_FOUND')) throw error;
}

/** A queue of the service, with the model's interface. */
export class RealQueue {
  /** The queue of the jobs that a trigger makes of the queue's tasks, once one is needed. */
  private jobs: Promise<string> | null = null;

  constructor(
    private readonly service: RealService,
    readonly name: string,
    private readonly batch: string,
  ) {}

  /** Of the tasks that its hold selects. */
  private get labels(): Readonly<Record<string, string>> {
    return { of: this.name };
  }

  async enqueue({
    id,
    key,
    labelled,
    needy,
    payload,
    priority,
    later: isLater,
    expires,
    held,
    batched,
    needs,
  }: NewTask): Promise<Enqueued> {
    const item = {
      taskId: id,
      queue: this.name,
      payload,
      priority,
      ...(key !== null && { key }),
      ...(labelled && { labels: this.labels }),
      ...(needy && { needs: OFFERED }),
      ...(isLater && { dueAt: later() }),
      ...(expires && { ttlMs: 2 * HOUR_MS }),
      ...(held && { hold: {} }),
      ...(batched && { batch: this.batch }),
      ...(needs.size > 0 && { after: namesOf(needs) }),
    };
    const [outcome] = await this.service.execute(new EnqueueTasks([item], BY));
    if (outcome!.kind === 'refused') return { refused: outcome!.rejection.code };
    return { status: outcome!.status, id: outcome!.receipt.id };
  }

  async claim(
    server: string,
    max: number,
    asked: AskedOfQueue,
  ): Promise<{ tasks: readonly Claimed[]; refusal: string | null }> {
    const { tasks, refusal } = await this.claimOf(this.name, server, max, asked);
    return { tasks: tasks.map(claimed), refusal: refusal?.code ?? null };
  }

  /** Fires a trigger of the queue, and claims the job that it makes. Returns the items of the job; none without a job. */
  async fire(): Promise<readonly Claimed[]> {
    this.jobs ??= this.defineTrigger();
    const jobs = await this.jobs;
    const refusal = await this.codeOf(new FireTrigger(this.name, null, BY));
    if (refusal === 'NOTHING_READY') return [];
    const [job] = (await this.claimOf(jobs, 's', 1)).tasks;
    return job!.items!.map(claimed);
  }

  private async defineTrigger(): Promise<string> {
    const jobs = `${this.name}-jobs`;
    await this.service.execute(new DefineQueue(jobs, '', {}, BY));
    const looks = { queue: this.name, batchSize: JOB_SIZE, every: 3_600, description: '' };
    const definition = { ...looks, task: { queue: jobs } };
    await this.service.execute(new OperateTrigger(this.name, { type: 'DefineTrigger', definition }, BY));
    return jobs;
  }

  private claimOf(
    queue: string,
    server: string,
    max: number,
    { steps, offers }: AskedOfQueue = { steps: null, offers: false },
  ): Promise<Pick<ClaimAnswer, 'tasks' | 'refusal'>> {
    const signal = new AbortController().signal;
    const here = { queue, worker: 'w', server, claimId: randomUUID() };
    return this.service.execute(
      new ClaimTasks({
        ...here,
        max,
        waitMs: 0,
        leaseMs: null,
        signal,
        context: BY,
        ...(steps && { steps }),
        ...(offers && { offers: OFFERED }),
      }),
    );
  }

  async settle(task: ModelTask, token: string, verdict: Verdict): Promise<string> {
    const item = { taskId: task.id, token, verdict: realVerdict(verdict, task) };
    const [outcome] = await this.service.execute(new SettleTasks([item], BY));
    return outcome!.kind === 'refused' ? outcome!.rejection.code : outcome!.state;
  }

  /** Its lease expires, and the sweeper's work is done. */
  async loseLease({ id, token }: ModelTask): Promise<number> {
    await passLease(this.service.pool, token.split('.')[0]!);
    const overdue = await this.service.schedule.overdueLeases(MOST_LEASES);
    const leases = overdue.filter(({ taskId }) => taskId === id);
    return leases.length > 0 ? this.service.execute(new ExpireLeases(leases, BY)) : 0;
  }

  /** An overdue consumer stays silent, and the sweeper's work is done. */
  async takeFromSilent(): Promise<number> {
    const { pool, schedule } = this.service;
    const longAgo = `update leases set deadline = now() - interval '1 hour' where queue = $1 and deadline < now()`;
    await pool.query(longAgo, [this.name]);
    const queues = (await schedule.silentlyHeldQueues(MOST_LEASES)).filter((queue) => queue === this.name);
    return queues.length > 0 ? this.service.execute(new TakeFromSilentConsumers(queues, BY)) : 0;
  }

  /** The longest end of its run passes, and the sweeper's work is done. */
  timeOut({ id }: ModelTask): Promise<number> {
    return this.pass('run_until', id);
  }

  /** Its time to live passes. No claim gives it out any more, and the sweeper's work is done. */
  async expire({ id }: ModelTask): Promise<number> {
    await this.service.pool.query(`update ready set expires_at = now() where task_id = $1 and expires_at is not null`, [
      id,
    ]);
    return this.pass('expires_at', id);
  }

  private async pass(time: 'run_until' | 'expires_at', id: string): Promise<number> {
    const { pool, schedule } = this.service;
    const passed = `update tasks set ${time} = now() where task_id = $1 and ${time} is not null and state = any ($2)`;
    await pool.query(passed, [id, time === 'run_until' ? ['running'] : ['pending', 'held']]);
    await pool.query('update tasks t set alarm_at = waybill_alarm(t) where task_id = $1', [id]);
    const own = (await schedule.passedLimits(MOST_LEASES)).filter(({ taskId }) => taskId === id);
    return own.length > 0 ? this.service.execute(new KeepTimeLimits(own, BY)) : 0;
  }

  operate({ id }: ModelTask, operation: Operation): Promise<string> {
    switch (operation) {
      case 'hold':
        return this.codeOf(new OperateTask(id, { type: 'HoldTask', reason: null }, BY));
      case 'release':
        return this.codeOf(new OperateTask(id, { type: 'ReleaseTask' }, BY));
      case 'cancel':
        return this.codeOf(new OperateTask(id, { type: 'CancelTask', reason: null }, BY));
      case 'abort':
        return this.codeOf(new OperateTask(id, { type: 'AbortTask', reason: null }, BY));
      case 'signal':
        return this.codeOf(new OperateTask(id, { type: 'SignalTask', signal: 'go', data: null }, BY));
      case 'retry':
        return this.codeOf(new OperateTask(id, { type: 'RetryTask', step: null, override: false }, BY));
    }
  }

  /** An operation with all that follows. Returns its id. */
  async mistake(tasks: readonly ModelTask[], operation: Undoable): Promise<string> {
    const ids = tasks.map(({ id }) => id);
    const operated = await this.service.mistakes.operate(ids, operation);
    await this.sweep();
    return operated;
  }

  async takeBack(operated: string, operation: Undoable): Promise<void> {
    await this.service.mistakes.undo(operated, operation);
  }

  reprioritise({ id }: ModelTask, priority: number): Promise<string> {
    return this.codeOf(new OperateTask(id, { type: 'ReprioritiseTask', priority }, BY));
  }

  reschedule({ id }: ModelTask, isLater: boolean): Promise<string> {
    return this.codeOf(new OperateTask(id, { type: 'RescheduleTask', dueAt: isLater ? later() : null }, BY));
  }

  arrange({ id }: ModelTask, add: Needs, waive: readonly ModelTask[]): Promise<string> {
    const change = { add: namesOf(add), waive: waive.map((one) => one.id) };
    return this.codeOf(new OperateTask(id, { type: 'ChangePrerequisites', ...change }, BY));
  }

  async hold(placed: boolean): Promise<void> {
    const { name, labels } = this;
    await this.service
      .execute(placed ? new PlaceHold(name, { labels }, BY, { mayErase: true }) : new LiftHold(name, BY, true))
      .catch(ifUnknown);
  }

  async measure(short: boolean): Promise<void> {
    await this.service.execute(new MeasureResource(this.name, short ? LIMIT : LIMIT - 1, BY));
  }

  open(tasks: number): Promise<string> {
    return this.codeOf(new OperateBatch(this.batch, { type: 'OpenBatch', tasks }, BY));
  }

  abortBatch(): Promise<string> {
    return this.codeOf(new OperateBatch(this.batch, { type: 'AbortBatch' }, BY));
  }

  async batchView(): Promise<object> {
    const { rows } = await this.service.pool.query<object>(
      'select state, reports, total, open, succeeded, failed, aborted from batches where id = $1',
      [this.batch],
    );
    return rows[0]!;
  }

  /** The sweeper's work on the queue's tasks and on the batch. */
  async sweep(): Promise<void> {
    await this.workOff(this.service.consequences);
    await this.workOff(this.service.ends);
  }

  private async workOff<Row extends { readonly id: string }>(chore: Chore<Row>): Promise<void> {
    for (;;) {
      const own = new Set([this.batch, ...(await this.states()).map(({ id }) => id)]);
      const rows = (await chore.find(MOST_LEASES)).filter(({ id }) => own.has(id));
      if (rows.length === 0) return;
      await chore.act(rows, await this.service.term());
    }
  }

  async pause(paused: boolean): Promise<void> {
    await this.service.execute(
      paused
        ? new OperateQueue(this.name, { type: 'PauseQueue', reason: null, until: null }, BY)
        : new OperateQueue(this.name, { type: 'ResumeQueue' }, BY),
    );
  }

  /** Moves all ended tasks to the archive that may go there. */
  async archive(): Promise<void> {
    await this.service.pool.query('select waybill_archive($1, 1000)', [this.name]);
  }

  /** The queue's tasks in the database, also those in the archive, in the order in which they arrived. */
  async states(): Promise<State[]> {
    const { rows } = await this.service.pool.query<State>(
      `select t.task_id as id, t.state as status, t.priority, t.attempt, t.step, t.entered, coalesce(w.blockers, 0) as blockers
       from known_tasks t left join waiting w on w.task_id = t.task_id where t.queue = $1 order by t.seq`,
      [this.name],
    );
    return rows;
  }

  /** After everything that has been done so far. */
  position(): Promise<bigint> {
    return this.service.head();
  }

  /** As the log tells them as of a position, by id. */
  async statesAt(position: bigint): Promise<readonly Pick<State, 'id' | 'status'>[]> {
    const items = await this.service.tasksAt(this.name, position);
    return items.map(({ id, state }) => ({ id, status: state }) as Pick<State, 'id' | 'status'>);
  }

  /** The tasks in the ready lane, in claim order. */
  ready(): Promise<string[]> {
    return this.ids(`select t.task_id as id from ready r join tasks t on t.queue = r.queue and t.priority = r.priority and coalesce(t.place, t.seq) between r.from_seq and r.to_seq
       where r.queue = $1 order by t.priority desc, coalesce(t.place, t.seq)`);
  }

  /** The tasks with a lease. */
  leased(): Promise<string[]> {
    return this.ids('select task_id as id from task_leases where queue = $1 order by task_id');
  }

  /** The reasons that the service gives for a task that is not running, and its rank. */
  async why(id: string): Promise<{ because: string[]; rank: number | null }> {
    const found = await this.service.explain(id);
    return { because: found!.reasons.map(({ because }) => because), rank: found!.rank };
  }

  private async ids(text: string): Promise<string[]> {
    const { rows } = await this.service.pool.query<{ id: string }>(text, [this.name]);
    return rows.map(({ id }) => id);
  }

  private async codeOf(command: Command<unknown>): Promise<string> {
    try {
      await this.service.execute(command);
      return 'done';
    } catch (error) {
      if (error instanceof Refused) return error.rejection.code;
      throw error;
    }
  }
}
