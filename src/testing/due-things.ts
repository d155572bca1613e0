import type { INestApplicationContext } from '@nestjs/common';
import { EventStore } from '../application/kernel/event-store.port.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { Leaders, type Leadership } from '../infrastructure/leadership/leaders.js';
import { Progress } from '../infrastructure/projection-engine/progress.js';
import type { Chore } from '../infrastructure/sweeper/chore.js';
import { CHORES } from '../infrastructure/sweeper/chores/all.js';
import { DueWork } from '../infrastructure/sweeper/due-work.js';
import { FailingItems } from '../infrastructure/sweeper/failing-items.js';
import { StrayRows } from '../infrastructure/sweeper/stray-rows.js';
import { SweepRound } from '../infrastructure/sweeper/sweep-round.js';
import { isInternal } from '../projections/kernel/internal-queues.js';
import { LINEAGE } from '../projections/read-models.js';

/** How long the followers and the service's own tasks may take to come to rest, in real time. */
const PATIENCE_MS = 20_000;
/** How often to look at what no signal of this process tells. */
const LOOK_MS = 10;

/**
 * What keeps the service from standing still: who has not read the whole log, and its own tasks. The lineage rests for up to a second after each event, and nothing follows
 * from it.
 */
const RESTLESS = `
  select name from projection_checkpoints where slot = 'live' and position < $1 and name <> '${LINEAGE.name}'
  union all select queue from ready where ${isInternal('queue')}
  union all select queue from leases where ${isInternal('queue')}
  union all (select 'the outbox' from waybill_outbox limit 1) limit 10`;

/** Lets happen what is due by the clock of the test, in place of the sweeper, which acts at times of its own. */
export class DueThings {
  private readonly round: SweepRound;
  private readonly work: DueWork;
  private readonly failing: FailingItems;
  private readonly store: EventStore;
  private leadership: Leadership | null = null;

  constructor(private readonly context: INestApplicationContext) {
    this.failing = context.get(FailingItems);
    this.work = context.get(DueWork);
    this.store = context.get(EventStore);
    const chores = CHORES.map((chore) => context.get<Chore>(chore));
    const { work, failing } = this;
    this.round = new SweepRound(chores, {
      work,
      failing,
      strays: context.get(StrayRows),
      wakeUps: context.get(WakeUps),
    });
  }

  /** Milliseconds until the next thing is due; null if nothing is. */
  nextInMs(): Promise<number | null> {
    return this.work.nextInMs();
  }

  /** Returns the end of the log once everything that is due has happened, and all have read it. */
  async happen(): Promise<bigint> {
    for (;;) {
      await this.sweep();
      const head = await this.rest();
      if (!(await this.sweep()) && (await this.store.head()) === head) return head;
    }
  }

  /** Whether there was anything to do. */
  private async sweep(): Promise<boolean> {
    const { term } = await this.lead();
    const outcomes = await this.round.run(term);
    if (this.failing.size > 0) throw new Error(await this.whatFails());
    return outcomes.has('done');
  }

  private async lead(): Promise<Leadership> {
    if (this.leadership && !this.leadership.lost.aborted) return this.leadership;
    const leadership = await this.context.get(Leaders).lead('sweeper', AbortSignal.timeout(PATIENCE_MS));
    if (leadership === null)
      throw new Error(`Expected to lead the sweeper within ${PATIENCE_MS} ms, but another process does`);
    return (this.leadership = leadership);
  }

  private async whatFails(): Promise<string> {
    const { rows } = await this.query<{ chore: string; error: string }>(
      'select chore, error from failing_items limit 1',
    );
    return `Expected everything that is due to happen, but the service could not ${rows[0]?.chore}: ${rows[0]?.error}`;
  }

  private async rest(): Promise<bigint> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const { changed } = this.context.get(Progress);
    for (;;) {
      const { count } = changed;
      const head = await this.store.head();
      const { rows } = await this.query<{ name: string }>(RESTLESS, [String(head)]);
      if (rows.length === 0) return head;
      if (patience.aborted) throw new Error(restless(rows.map(({ name }) => name)));
      await changed.past(count, patience, LOOK_MS);
    }
  }

  private query<Row extends object>(text: string, values: unknown[] = []) {
    return this.context.get(PostgresPool).query<Row>(text, values);
  }
}

const restless = (names: readonly string[]): string =>
  `Expected the service to come to rest within ${PATIENCE_MS} ms, but ${[...new Set(names)].join(', ')} did not`;
