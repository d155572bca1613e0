import type { QueueFailure } from '../../domain/queue/queue.events.js';
import { type QueuePolicy, type Room, roomOn } from '../../domain/queue/queue.policy.js';
import type { CancelEnd, TaskError } from '../../domain/task/task.events.js';

/** A running task of the same queue. */
export interface RunningTask {
  readonly taskId: string;
  readonly worker: string;
  readonly server: string;
}

/** What stands between a task and a worker. */
export type Reason =
  | { readonly because: 'state'; readonly state: string }
  | { readonly because: 'held'; readonly by: string; readonly reason: string | null }
  /** It runs still: its worker is asked to stop, and then it is to be what `then` says. */
  | {
      readonly because: 'cancel-requested';
      readonly by: string;
      readonly reason: string | null;
      readonly at: string;
      readonly worker: string;
      readonly then: CancelEnd;
    }
  /** It erred: somebody is to say what becomes of it. */
  | { readonly because: 'decision'; readonly at: string; readonly error: Fault }
  | {
      readonly because: 'ended';
      readonly state: string;
      /** Who did it; of what follows from an attempt, who recorded that: the worker, or a part of the service. */
      readonly by: string;
      readonly at: string;
      readonly reason: string | null;
      readonly error: Fault | null;
      /** A failure that cannot be retried. */
      readonly final: boolean;
      /** Whose success superseded it, or that waited for its key when it failed. */
      readonly taskId: string | null;
    }
  | { readonly because: 'due'; readonly until: string }
  | { readonly because: 'key'; readonly key: string; readonly taskId: string | null }
  /** An earlier task with its key has failed, is undecided, or waits for its retry. */
  | { readonly because: 'key-failure'; readonly key: string; readonly taskId: string; readonly state: string }
  | {
      readonly because: 'queue-paused';
      readonly by: string;
      readonly reason: string | null;
      readonly until: string | null;
      readonly failure: QueueFailure | null;
    }
  | { readonly because: 'queue-waiting'; readonly queues: readonly string[] }
  | { readonly because: 'queue-finished' }
  | { readonly because: 'queue-failing'; readonly failures: number }
  | {
      readonly because: 'no-slot';
      readonly limit: 'serial' | 'perServer' | 'maxRunning';
      readonly running: readonly RunningTask[];
    }
  /** Nothing: a worker that asks is given the task when it is its turn. `unattended`: for a minute none has asked. */
  | { readonly because: 'worker'; readonly unattended: boolean; readonly lastPolledAt: string | null };

type Fault = Pick<TaskError, 'class' | 'message'>;

/** What the rows say that a claim looks at. */
export interface Facts {
  readonly state: string;
  readonly dueAt: string | null;
  readonly key: string | null;
  readonly gate: string | null;
  /** The task that has its key's turn. */
  readonly keyOccupant: string | null;
  /** The earlier task that failed. */
  readonly keyBlocker: { readonly taskId: string; readonly state: string } | null;
  /** What the history says of a task that no worker can be given. */
  readonly told: Reason | null;
  readonly queue: {
    /** Why it gives nothing out, as the claim has it; null where it does. */
    readonly withheld: string | null;
    readonly policy: QueuePolicy;
    readonly failureStreak: number;
    readonly pause: Omit<Extract<Reason, { readonly because: 'queue-paused' }>, 'because'>;
    /** Those it waits for that are not finished. */
    readonly awaited: readonly string[];
    /** When a worker last asked for its tasks, and whether tasks wait although none has for a minute. */
    readonly lastPolledAt: string | null;
    readonly unattended: boolean;
  };
  /** Of a counted queue. */
  readonly running: readonly RunningTask[];
}

/** Every reason at once, the task's own first: taking one away must not come as a surprise with the next. */
export function reasonsOf(facts: Facts): readonly Reason[] {
  if (facts.state !== 'pending') return [facts.told ?? { because: 'state', state: facts.state }];
  const reasons = [...taskReasons(facts), ...queueReasons(facts), ...slotReasons(facts)];
  const { lastPolledAt, unattended } = facts.queue;
  return reasons.length > 0 ? reasons : [{ because: 'worker', unattended, lastPolledAt }];
}

function taskReasons({ gate, dueAt, key, keyOccupant, keyBlocker }: Facts): readonly Reason[] {
  if (gate === 'due') return [{ because: 'due', until: dueAt! }];
  if (gate !== 'key') return [];
  const busy: Reason = { because: 'key', key: key!, taskId: keyOccupant };
  if (!keyBlocker) return [busy];
  const blocked: Reason = { because: 'key-failure', key: key!, ...keyBlocker };
  return keyOccupant === null ? [blocked] : [busy, blocked];
}

function queueReasons({ queue }: Facts): readonly Reason[] {
  switch (queue.withheld) {
    case 'paused':
      return [{ because: 'queue-paused', ...queue.pause }];
    case 'waiting':
      return [{ because: 'queue-waiting', queues: queue.awaited }];
    case 'finished':
      return [{ because: 'queue-finished' }];
    // Between the last failure that the policy allows and the pause.
    case 'failing':
      return [{ because: 'queue-failing', failures: queue.failureStreak }];
    default:
      return [];
  }
}

function slotReasons({ queue: { policy }, running }: Facts): readonly Reason[] {
  if (policy.concurrency === 'serial') return running.length > 0 ? [noSlot('serial', running)] : [];
  // A server of which nothing runs here has as much room as any can have.
  const servers = ['', ...new Set(running.map(({ server }) => server))];
  const full = servers.flatMap((server) => {
    const { places, limit } = roomOn(server, policy, running);
    return places > 0 ? [] : [{ server, limit }];
  });
  const onFull = running.filter((task) =>
    full.some(({ server, limit }) => limit === 'perServer' && server === task.server),
  );
  return [
    ...(onFull.length > 0 ? [noSlot('perServer', onFull)] : []),
    ...(full.some(({ limit }) => limit === 'maxRunning') ? [noSlot('maxRunning', running)] : []),
  ];
}

const noSlot = (limit: 'serial' | Room['limit'], running: readonly RunningTask[]): Reason => ({
  because: 'no-slot',
  limit,
  running,
});
