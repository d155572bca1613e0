import type { Json } from '../../domain/kernel/json.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { RunningTask, TaskState } from '../../domain/task/task.state.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { AppendItem, RecordedEvent } from '../kernel/event-store.port.js';

export interface ClaimRequest {
  readonly queue: string;
  readonly worker: string;
  readonly server: string;
  /** Tasks at most. */
  readonly max: number;
  /** How long to wait for a first task, in milliseconds; 0 answers at once. */
  readonly waitMs: number;
  /** The lease's length; null leaves it to the queue's policy. */
  readonly leaseMs: number | null;
  /** UUID; the same claim repeated is answered with the tasks that it got. */
  readonly claimId: string;
  readonly signal: AbortSignal;
  readonly context: CommandContext;
}

/** A task given to a worker, with all it needs to work it. */
export interface ClaimedTask {
  readonly taskId: string;
  readonly queue: string;
  readonly kind: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly priority: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string | null;
  readonly payload: Json;
  readonly attempt: number;
  /** `<fencing number>.<secret>`: a bearer secret, never logged. */
  readonly token: string;
  readonly claimId: string;
  readonly leaseMs: number;
  readonly deadline: string;
  readonly enqueuedAt: string;
  readonly step: string | null;
  readonly lastSuccessfulStep: string | null;
}

/** Why a queue that may have tasks gave none out, or fewer than it could. */
export type ClaimRefusal =
  /** Another consumer works on the serial queue. */
  | { readonly code: 'QUEUE_HELD'; readonly consumer: Consumer }
  /** More than one task runs in a serial queue: somebody has to look. */
  | { readonly code: 'QUEUE_CONFLICTED'; readonly running: readonly Omit<Consumer, 'until'>[] }
  /** The server runs as many of the queue's tasks as it may. */
  | { readonly code: 'SERVER_FULL'; readonly server: string; readonly running: number }
  /** As many of the queue's tasks run in the cluster as may. */
  | { readonly code: 'QUEUE_FULL'; readonly running: number };

/** The consumer of a serial queue, its task, and until when it keeps the queue unless it reports. */
export interface Consumer {
  readonly worker: string;
  readonly server: string;
  readonly taskId: string;
  readonly until: string;
}

export interface ClaimAnswer {
  readonly tasks: readonly ClaimedTask[];
  /** Of the newest of the tasks' claims; null where there are none. */
  readonly position: string | null;
  readonly refusal: ClaimRefusal | null;
  /** The serial queue was taken over: end this overdue lease, and claim again. */
  readonly reset: { readonly taskId: string; readonly token: string } | null;
}

export const NOTHING_TO_CLAIM: ClaimAnswer = { tasks: [], position: null, refusal: null, reset: null };

/** A task that may be claimed, with its history. Nobody else can take it until the round ends. */
export interface PickedTask {
  readonly taskId: string;
  readonly token: string;
  readonly queueRevision: number;
  /** Of the last event. */
  readonly revision: number;
  /** The place of the quota that the task takes. */
  readonly place: number;
  /** The id of the claim's event, where it was given out before. */
  readonly eventId?: string;
  readonly enqueuedAt: string;
  /** Since when it is pending, and has its time; it may have been due later. */
  readonly waitingSince: string;
  readonly history: readonly TaskEvent[];
}

/** A picked task with the decision on it: what to append, and the state that it leads to. */
export interface DecidedClaim {
  readonly request: number;
  readonly item: AppendItem;
  readonly state: RunningTask;
  readonly picked: PickedTask;
}

/** A recorded claim with a current lease. */
export interface RecordedClaim extends DecidedClaim {
  readonly position: bigint;
  readonly revision: number;
  readonly deadline: string;
}

/** What of a queue runs, under a lock that keeps others from claiming there. Empty where the queue's policy limits nothing. */
export interface RunningClaims {
  readonly claims: readonly StandingClaim[];
  /** The last event of the serial queue's consumer; null before the first. */
  readonly consumer: LastHolding | null;
}

/** The last event of a consumer's stream, which says all. */
export interface LastHolding {
  readonly revision: number;
  readonly event: ConsumerEvent;
  /** The task that was reset has been claimed under a later token. */
  readonly resetClaimed: boolean;
}

/** The lease that the claims of a request begin with. They share its secret. */
export interface ClaimLease {
  readonly secret: string;
  readonly leaseMs: number;
}

/** What a queue's limits leave for the requests of one round. */
export interface ClaimQuota {
  /** The request that each task may go to, by its index: as many as may be picked. */
  readonly places: readonly number[];
  /** By request. */
  readonly leases: readonly ClaimLease[];
  /** By request. */
  readonly refusals: readonly (ClaimRefusal | null)[];
  /** The task to pick before any other. */
  readonly first: string | null;
  /** Recorded with the claim of a task, and only with one. */
  readonly withTask: AppendItem | null;
  /** Recorded in any case. */
  readonly alone: AppendItem | null;
  /** The overdue claim to be ended before the queue gives anything out. */
  readonly reset: StandingClaim | null;
}

/** What was decided on the picked tasks of one round. */
export interface ClaimDecisions {
  readonly claims: readonly DecidedClaim[];
  /** Recorded beside the claims, and before them. */
  readonly besides: readonly AppendItem[];
  /** The tasks whose histories allow no claim, and their states. */
  readonly refused: readonly { readonly taskId: string; readonly status: TaskState['status'] }[];
}

/** The requests of one round and the decisions on them, each of which the source asks for once. */
export interface ClaimRules {
  readonly facts: QueueFacts;
  /** The queue's revision that they are decided on. */
  readonly queueRevision: number;
  readonly requests: readonly ClaimRequest[];
  /** What may be picked, asked for under the lock on what runs. */
  quotaFor(running: RunningClaims): ClaimQuota;
  /** The claims of the picked tasks, in their order. */
  decide(picked: readonly PickedTask[], quota: ClaimQuota): ClaimDecisions;
}

/** What came of one look at a queue's tasks. */
export interface ClaimRound {
  /** False: nothing was claimed, because requests are repeated, or the queue or a claim changed meanwhile. */
  readonly claimed: boolean;
  readonly recorded: readonly RecordedClaim[];
  /** Null where it was not asked for. */
  readonly quota: ClaimQuota | null;
  /** The claim ids that were given tasks before. */
  readonly repeated: readonly string[];
}

export const NOTHING_CLAIMED: ClaimRound = { claimed: false, recorded: [], quota: null, repeated: [] };

/** A claim that was made before, and its leases that stand, with the histories of their tasks. */
export interface EarlierClaim {
  readonly queue: string;
  readonly worker: string;
  readonly leases: readonly StandingLease[];
}

export interface StandingLease {
  readonly taskId: string;
  readonly token: string;
  readonly secret: string;
  readonly leaseMs: number;
  readonly deadline: string;
  readonly history: readonly RecordedEvent[];
}

/** Where tasks are picked and their claims are recorded: one way where the log is in this database, another where it is not. */
export abstract class ClaimSource {
  /** One look: picks what the rules' quota leaves, has it decided, and records the claims. */
  abstract round(rules: ClaimRules): Promise<ClaimRound>;

  /** Null: no such claim, or it was given up before it was recorded. */
  abstract earlier(claimId: string): Promise<EarlierClaim | null>;
}
