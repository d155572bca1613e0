import type { EventView, Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { groupBy } from '../../src/projections/kernel/grouping.js';
import { violationsOf } from '../support/history-checker.js';
import { until } from '../support/until.js';
import { type Crash, type CrashPoint, lastWords } from './crash-points.js';
import { freePort } from './ports.js';
import { Run } from './run.js';
import type { ServiceProcess } from './service-process.js';

const QUEUE = 'mail';
const CAUSES = ['no route', 'no recipient'] as const;
/** Failures of each cause that come before each kill. */
const SOME = 3;

export type Say = 'resolve' | 'ignore' | 'reopen';

/** How often tasks and attempts failed, by the group that they have by their messages. */
export type Counts = Readonly<Record<string, { readonly failedTasks: number; readonly failedAttempts: number }>>;

const at = (point: CrashPoint): Crash => ({ point, passage: 1 });
const groupOf = (message: string): string => groupBy()({ message, class: 'transient' });
/** The cause whose group people say something of. */
export const GROUP = groupOf(CAUSES[0]);

/** Failures, and processes that die while they put them into groups, say something of these, or open them again. */
export class FailureKills {
  readonly waybill: Waybill;
  private readonly failing: Promise<void>[] = [];

  private constructor(private readonly run: Run) {
    this.waybill = run.client();
  }

  static async open(): Promise<FailureKills> {
    const run = await Run.open();
    await run.service({ env: { WAYBILL_ROLES: 'api,sweeper,relay' } }).ready();
    const kills = new FailureKills(run);
    await kills.waybill.queue(QUEUE).define({ onFailure: 'fail' });
    return kills;
  }

  close(): Promise<void> {
    return this.run.close();
  }

  /** Lets some tasks fail of each cause. */
  private async fail(): Promise<void> {
    for (const message of CAUSES) {
      await this.waybill.queue(QUEUE).enqueueMany(Array.from({ length: SOME }, () => ({})));
      for (let left = SOME; left > 0;) left -= await this.failReady(message);
    }
  }

  /** Fails the tasks that are ready, once there are some. Answers with how many. */
  private async failReady(message: string): Promise<number> {
    const claimed = await this.waybill.queue(QUEUE).claim({ worker: 'w', max: SOME, waitMs: 60_000 });
    const verdict = { type: 'fail', error: { message, class: 'transient' } } as const;
    const items = claimed.map(({ taskId, token }) => ({ taskId, token, verdict }));
    if (items.length > 0) await this.waybill.settle(items);
    return items.length;
  }

  async service(roles: string, point?: CrashPoint): Promise<ServiceProcess> {
    const port = await freePort();
    return this.run.service({ port, env: { WAYBILL_ROLES: roles }, ...(point && { crash: at(point) }) });
  }

  /** How a process ended that was to die there, and its last words. */
  async ended(one: ServiceProcess, point: CrashPoint): Promise<unknown> {
    const [end, words] = [await one.ended, lastWords(at(point))];
    return { ...end, errors: one.errors, said: one.lines.includes(words) ? words : one.lines };
  }

  /**
   * A process dies there while tasks fail. With the events in another store, the projector also writes the index, so that the next one
   * must let them go on failing.
   */
  async killedMeanwhile(roles: string, point: CrashPoint): Promise<unknown> {
    const one = await this.service(roles, point);
    this.failing.push(this.fail());
    return this.ended(one, point);
  }

  /** Resolves when all tasks have failed, and the follower is at the head of the log. */
  async failed(follower: string): Promise<void> {
    await Promise.all(this.failing.splice(0));
    await this.caughtUp(follower);
  }

  /** Resolves when the follower is at the head of the log. */
  private async caughtUp(follower: string): Promise<void> {
    await until(`'${follower}' to reach the head`, async () => {
      const found = (await this.waybill.projections()).find(({ name }) => name === follower);
      return found && found.position === found.head ? true : null;
    });
  }

  /** What the groups count. */
  async counted(): Promise<Counts> {
    const all: Record<string, Counts[string]> = {};
    for await (const { id, failedTasks, failedAttempts } of this.waybill.failures.list())
      all[id] = { failedTasks, failedAttempts };
    return all;
  }

  /** What the log has. */
  async recorded(): Promise<Counts> {
    const [tasks, attempts] = [await this.messages('TaskFailed'), await this.messages('TaskAttemptFailed')];
    const countIn = (all: readonly string[], message: string) => all.filter((one) => one === message).length;
    return Object.fromEntries(
      CAUSES.map((message) => [
        groupOf(message),
        { failedTasks: countIn(tasks, message), failedAttempts: countIn(attempts, message) },
      ]),
    );
  }

  private async messages(type: 'TaskFailed' | 'TaskAttemptFailed'): Promise<readonly string[]> {
    return (await this.events({ queue: QUEUE, type })).map(
      ({ data }) => (data as { error: { message: string } }).error.message,
    );
  }

  /** What was said of the group, in the order of the log. */
  async said(): Promise<readonly string[]> {
    return (await this.events({ category: 'failure', name: GROUP })).map(({ type }) => type);
  }

  private async events(filter: Parameters<Waybill['events']>[0]): Promise<readonly EventView[]> {
    const all: EventView[] = [];
    for await (const event of this.waybill.events(filter)) all.push(event);
    return all;
  }

  /** A process dies while it takes the command. The caller gives it again, under the same key, to another. */
  async saidAtKill(say: Say, point: CrashPoint): Promise<unknown> {
    const one = await this.service('api', point);
    await one.ready();
    const options = { reason: `${say} ${point}`, idempotencyKey: uuidv7() };
    const asked = this.run
      .client(one.url)
      .failures[say](GROUP, options)
      .catch(() => null);
    const end = await this.ended(one, point);
    await asked;
    await this.waybill.failures[say](GROUP, options);
    return end;
  }

  async violations(): Promise<readonly unknown[]> {
    await this.run.caughtUp();
    return violationsOf(await this.run.history());
  }
}
