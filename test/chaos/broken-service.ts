import 'reflect-metadata';
import type pg from 'pg';
import { taskDecider } from '../../src/domain/task/task.decider.js';
import { EnqueueTasks, EnqueueTasksHandler } from '../../src/application/tasks/enqueue-tasks.handler.js';
import { newId } from '../../src/application/kernel/new-id.js';
import { EventFiring } from '../../src/application/triggers/event-firing.js';
import { CountedClaims } from '../../src/infrastructure/dispatch-index/counted-claims.js';
import { CheckpointReadPositions } from '../../src/infrastructure/projection-engine/checkpoint-read-positions.js';
import { queueStats } from '../../src/projections/queue-stats/queue-stats.projection.js';
import type { TriggerCommand } from '../../src/domain/trigger/trigger.commands.js';
import { triggerDecider } from '../../src/domain/trigger/trigger.decider.js';
import type { TriggerState } from '../../src/domain/trigger/trigger.state.js';
import { GrowingTree } from '../../src/domain/merkle/growing-tree.js';
import type { TaskEvent } from '../../src/domain/task/task.events.js';
import type { TaskCommand } from '../../src/domain/task/task.commands.js';
import type { KnownTask, TaskState } from '../../src/domain/task/task.state.js';
import { LogPast } from '../../src/infrastructure/past/log-past.js';
import { LogTail } from '../../src/infrastructure/postgres-event-store/log-tail.js';
import { WebhookSender } from '../../src/steward/deliveries/send-webhook.js';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { runService } from '../../src/bootstrap/service.js';
import { beginInThePast } from './occurrences-at-once.js';
import { hookStatements, isAppend } from './statements.js';

// A service that breaks one of its promises (`BREAKS`) by changes from outside, which the history checker must find.
// The spec that starts it disables the conditions in the database: see `broken-builds.ts`.

type Decide = typeof taskDecider.decide;

const decide: Decide = taskDecider.decide;
const change = (changed: Decide): void => void Object.assign(taskDecider, { decide: changed });

/** Makes the decider treat `state` like `status` for commands of this type. */
const pretend = (type: TaskCommand['type'], as: (state: KnownTask) => TaskState): void =>
  change((command, state) => decide(command, command.type === type && state.status !== 'unknown' ? as(state) : state));

const BREAKAGES: Readonly<Record<string, () => void>> = {
  /** Answers every second append as stored, and rolls it back. */
  'answers before the commit': () => {
    // Whether the read models see events that were never stored would be a race.
    LogTail.prototype.add = () => undefined;
    let appends = 0;
    hookStatements({
      alone: (query, send, pool) => (isAppend(query) && ++appends % 2 === 0 ? rolledBack(query, pool) : send()),
      within: (_, send) => send(),
      commit: (_, send) => send(),
    });
  },

  /** Records a success again for every repeated report. */
  'completes again': () =>
    pretend('SucceedTask', (state) =>
      state.status !== 'succeeded'
        ? state
        : {
            status: 'running',
            task: state.task,
            lease: {
              token: state.task.lastSettlement!.token,
              claimId: '',
              worker: 'again',
              server: 'again',
              claimedAt: new Date().toISOString(),
            },
            reportedError: null,
            cancelRequest: null,
          },
    ),

  /** Stores a task that nobody asked for beside each first one of a call. */
  'enqueues a copy': () => {
    const { execute } = EnqueueTasksHandler.prototype;
    EnqueueTasksHandler.prototype.execute = async function (this: EnqueueTasksHandler, { items, context }) {
      const copy = { ...items[0]!, taskId: newId() };
      return (await execute.call(this, new EnqueueTasks([...items, copy], context))).slice(0, items.length);
    };
  },

  /** Makes a job of all but the first of the items that were claimed for it. */
  'leaves an item of a job alone': () => {
    const { execute } = EnqueueTasksHandler.prototype;
    EnqueueTasksHandler.prototype.execute = function (this: EnqueueTasksHandler, { items, context }) {
      const fewer = items.map((item) => (item.items ? { ...item, items: item.items.slice(1) } : item));
      return execute.call(this, new EnqueueTasks(fewer, context));
    };
  },

  'forgets what runs': () => {
    const { lock } = CountedClaims.prototype;
    CountedClaims.prototype.lock = async function (this: CountedClaims, connection, rules) {
      const running = await lock.call(this, connection, rules);
      return running && { ...running, claims: [] };
    };
  },

  'miscounts attempts': () =>
    change((command, state) => {
      const decision = decide(command, state);
      if (decision.kind !== 'accepted') return decision;
      const miscounted = (event: TaskEvent): TaskEvent =>
        event.type === 'TaskClaimed' ? { ...event, data: { ...event.data, attempt: event.data.attempt + 1 } } : event;
      return { ...decision, events: decision.events.map(miscounted) };
    }),

  'begins with the last step': () =>
    change((command, state) => {
      const decision = decide(command, state);
      if (decision.kind !== 'accepted' || state.status === 'unknown') return decision;
      const last = state.task.submission.steps?.at(-1);
      const atLast = (event: TaskEvent): TaskEvent =>
        event.type === 'TaskClaimed' && last !== undefined ? { ...event, data: { ...event.data, step: last } } : event;
      return { ...decision, events: decision.events.map(atLast) };
    }),

  'forgets successes in statistics': () => {
    Object.assign(queueStats.project, { TaskSucceeded: () => [] });
  },

  'forgets an occurrence': () => {
    beginInThePast();
    const { decide: fire } = triggerDecider;
    Object.assign(triggerDecider, {
      decide: (command: TriggerCommand, state: TriggerState) =>
        fire(command.type === 'RecordFirings' ? { ...command, firings: command.firings.slice(1) } : command, state),
    });
  },

  'loses an event that a trigger waits for': () => {
    const { fire } = EventFiring.prototype;
    EventFiring.prototype.fire = function (this: EventFiring, matches) {
      return fire.call(this, matches.slice(1));
    };
  },

  /** Makes another task of it, and records that too. */
  'fires for an event again': () => {
    const { fire } = EventFiring.prototype;
    EventFiring.prototype.fire = async function (this: EventFiring, matches) {
      await fire.call(this, matches);
      return fire.call(
        this,
        matches.map((match) => ({ ...match, recorded: { ...match.recorded, id: newId() } })),
      );
    };
    const { decide: record } = triggerDecider;
    Object.assign(triggerDecider, {
      decide: (command: TriggerCommand, state: TriggerState) =>
        record(command, 'upTo' in state ? { ...state, upTo: null } : state),
    });
  },

  /** Does not go on to the next occurrence. */
  'fires an occurrence again': () => {
    const { decide: fire } = triggerDecider;
    Object.assign(triggerDecider, {
      decide: (command: TriggerCommand, state: TriggerState) =>
        fire(command.type === 'RecordFirings' ? { ...command, next: command.from } : command, state),
    });
  },

  'answers from an older state': () => {
    CheckpointReadPositions.prototype.waitFor = () => Promise.resolve(0n);
    CheckpointReadPositions.prototype.lackedAt = () => Promise.resolve(null);
    CheckpointReadPositions.prototype.current = () => Promise.resolve(0n);
  },

  'shows the present as the past': () => {
    const { historiesAt } = LogPast.prototype;
    LogPast.prototype.historiesAt = function (this: LogPast, streams) {
      return historiesAt.call(this, streams, 2n ** 62n);
    };
  },

  /** Every leaf of its tree is another one. */
  'seals what it did not store': () => {
    const { add } = GrowingTree.prototype;
    GrowingTree.prototype.add = function (this: GrowingTree, leaf) {
      add.call(this, leaf.toReversed());
    };
  },

  'delivers twice in one attempt': () => {
    const { send } = WebhookSender.prototype;
    WebhookSender.prototype.send = async function (this: WebhookSender, ...order) {
      await send.apply(this, order);
      return send.apply(this, order);
    };
  },

  /** Gives a running task to the next worker that claims. */
  'gives out twice': () =>
    pretend('ClaimTask', (state) => (state.status === 'running' ? { status: 'pending', task: state.task } : state)),
};

/** Returns the statement's own result, but keeps nothing of it. */
async function rolledBack(query: pg.QueryConfig | string, pool: PostgresPool): Promise<pg.QueryResult> {
  const connection = await pool.connect();
  await connection.query('begin');
  const result = await connection.query(query);
  await connection.query('rollback');
  connection.release();
  return result;
}

// Some are broken only in the database.
BREAKAGES[process.env.BREAKS!]?.();
await runService(process.env);
