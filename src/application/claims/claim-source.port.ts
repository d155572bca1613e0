import type { Json, JsonObject } from '../../domain/kernel/json.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import type { HoldRef, TaskEvent } from '../../domain/task/task.events.js';
import type { RunningTask } from '../../domain/task/task.state.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import type { CommandContext } from '../kernel/command-context.js';
import type { AppendItem, RecordedEvent } from '../kernel/event-store.port.js';
import type { UnreadableStream } from '../kernel/unreadable-stream.js';

export interface ClaimRequest {
  readonly queue: string;
  readonly worker: string;
  readonly server: string;
  /** The version of the worker's program. Absent if it says none. */
  readonly build?: string;
  /** The most tasks to claim. With 0, the worker only says that it is there. */
  readonly max: number;
  /** How many handlers of the worker are stuck in tasks of the queue. Absent: as it said before. */
  readonly stuck?: number;
  /** Claims only tasks whose next step is one of these. Absent: all tasks. */
  readonly steps?: readonly string[];
  /** Claims only tasks that need nothing but what is offered here. Absent: nothing is offered. */
  readonly offers?: WorkerLabels;
  /** How long to wait for a first task, in milliseconds; 0 answers at once. */
  readonly waitMs: number;
  /** The length of the lease. Null takes it from the queue's policy. */
  readonly leaseMs: number | null;
  /** A UUID. A claim repeated under the same id gets the same tasks. */
  readonly claimId: string;
  readonly signal: AbortSignal;
  readonly context: CommandContext;
  /** Absent if as many tasks may run for the caller as it claims. */
  readonly limit?: HolderLimit;
  /** The task for which a trigger claims these. Its id is the claim's. */
  readonly job?: string;
}

/** How many tasks may run at once for the holder of an API key, in all queues. */
export interface HolderLimit {
  readonly holder: string;
  readonly most: number;
}

/** A leased task, with everything that the worker needs to run it. */
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
  /** The id of the event that recorded the claim. */
  readonly claimEvent: string;
  readonly leaseMs: number;
  readonly deadline: string;
  readonly enqueuedAt: string;
  readonly step: string | null;
  readonly lastSuccessfulStep: string | null;
  /** All steps of the task, in order; absent for a task without steps. */
  readonly steps?: readonly string[];
  /** If the task is the job of a trigger: what was claimed for it and is still leased. Its worker settles each of them. */
  readonly items?: readonly ClaimedTask[];
  /** The batch that the task plans. */
  readonly plans?: string;
  /** Where the trace stood of whoever submitted the task. */
  readonly traceparent?: string;
  /** What was recorded about the task; empty if nothing was. */
  readonly data: JsonObject;
}

/** Why a queue that may have tasks gave none out, or fewer than it could. */
export type ClaimRefusal =
  /** Another consumer has the serial queue. */
  | { readonly code: 'QUEUE_HELD'; readonly consumer: Consumer }
  /** More than one task runs in a serial queue. A person has to resolve this. */
  | { readonly code: 'QUEUE_CONFLICTED'; readonly running: readonly Omit<Consumer, 'until'>[] }
  /** The server already runs as many of the queue's tasks as the policy allows. */
  | { readonly code: 'SERVER_FULL'; readonly server: string; readonly running: number }
  /** The cluster already runs as many of the queue's tasks as the policy allows. */
  | { readonly code: 'QUEUE_FULL'; readonly running: number }
  /** Of every value of the label that waiting tasks have, as many tasks run as may (`most`). `labelValue`: of the first that waits; null: it lacks the label. */
  | { readonly code: 'LABEL_FULL'; readonly label: string; readonly labelValue: string | null; readonly most: number }
  /** A rate allows no start before `until`. `labelValue`: as above, if values have limits of their own. */
  | {
      readonly code: 'RATE_REACHED';
      readonly until: string;
      readonly afterMs: number;
      readonly label?: string;
      readonly labelValue?: string | null;
    }
  /** As many tasks run for the holder of the API key as may. */
  | ({ readonly code: 'HOLDER_FULL'; readonly running: number } & HolderLimit);

/**
 * The consumer of a serial queue, its task, and the time at which it loses the queue unless it sends a heartbeat or
 * report.
 */
export interface Consumer {
  readonly worker: string;
  readonly server: string;
  readonly taskId: string;
  readonly until: string;
}

export interface ClaimAnswer {
  readonly tasks: readonly ClaimedTask[];
  /** The position of the newest of these claims; null without tasks. */
  readonly position: string | null;
  readonly refusal: ClaimRefusal | null;
  /** Set if the claim took over a serial queue: the caller must end this overdue lease and claim again. */
  readonly reset: Pick<StandingClaim, 'taskId' | 'token' | 'unheard'> | null;
}

export const NOTHING_TO_CLAIM: ClaimAnswer = { tasks: [], position: null, refusal: null, reset: null };

/** A task that may be claimed, with its history. It is locked until the round ends, so no other claim can take it. */
export interface PickedTask {
  readonly taskId: string;
  readonly token: string;
  readonly queueRevision: number;
  /** The revision of the task's last event. */
  readonly revision: number;
  /** The index of the place in the quota that the task takes. */
  readonly place: number;
  /** The id that the claim's event must have, if the source reserved one. */
  readonly eventId?: string;
  readonly enqueuedAt: string;
  /** When the task became pending. It may have been due only later. */
  readonly waitingSince: string;
  /** Where the trace stood within which the task was submitted. */
  readonly traceparent?: string;
  readonly history: readonly TaskEvent[];
}

/** A picked task with the claim to append and the state that the claim leads to. */
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

/**
 * The running tasks of a queue, read under a lock that keeps others from claiming there. Empty if the queue's policy
 * has no limits.
 */
export interface RunningClaims {
  readonly claims: readonly StandingClaim[];
  /** The last event of the serial queue's consumer; null before the first. */
  readonly consumer: LastHolding | null;
  /** How many tasks run for each holder of an API key that is limited. */
  readonly ofHolders: ReadonlyMap<string, number>;
}

/** The last event of a consumer's stream, from which its state can be folded alone. */
export interface LastHolding {
  readonly revision: number;
  readonly event: ConsumerEvent;
  /** Whether the task that was reset has been claimed again since. */
  readonly resetClaimed: boolean;
}

/** The initial lease of the tasks that a request claims. They share its secret. */
export interface ClaimLease {
  readonly secret: string;
  readonly leaseMs: number;
}

/** How many tasks the requests of one round may claim, and what to record with the claims. */
export interface ClaimQuota {
  /** One entry for each task that may be picked: the index of the request that gets it. */
  readonly places: readonly number[];
  /** One per request. */
  readonly leases: readonly ClaimLease[];
  /** One per request; null if the limits leave it a place. */
  readonly refusals: readonly (ClaimRefusal | null)[];
  /** The id of a task to pick before all others. */
  readonly first: string | null;
  /** Recorded only if a task is claimed. */
  readonly withTask: AppendItem | null;
  /** Recorded even if no task is claimed. */
  readonly alone: AppendItem | null;
  /** An overdue claim that must end before the queue gives out a task. */
  readonly reset: StandingClaim | null;
}

/** The decisions on the picked tasks of one round. */
export interface ClaimDecisions {
  readonly claims: readonly DecidedClaim[];
  /** Events to record in the same append, before the claims. */
  readonly besides: readonly AppendItem[];
  /** The picked tasks whose histories make no sense to this program, or allow no claim. */
  readonly unreadable: readonly UnreadableStream[];
  /** How many picked tasks must stay in line, because the payloads of those before them, which are outside the log, fill the answer. */
  readonly left: number;
}

/** The requests of one round and the decisions on them. The source calls each function once per pick. */
export interface ClaimRules {
  readonly facts: QueueFacts;
  /** The revision of the queue that the rules are based on. */
  readonly queueRevision: number;
  readonly requests: readonly ClaimRequest[];
  /** All requests ask for tasks at one of these steps only; null: for any. */
  readonly steps: readonly string[] | null;
  /** What the workers of all requests offer. */
  readonly offers: WorkerLabels;
  /** How many tasks may be picked. Call it under the lock on the running tasks. */
  quotaFor(running: RunningClaims): ClaimQuota;
  /** Decides on the picked tasks, in their order. */
  decide(picked: readonly PickedTask[], quota: ClaimQuota): ClaimDecisions;
}

/** The result of one attempt to pick and claim tasks of a queue. */
export interface ClaimRound {
  /**
   * False if nothing was claimed, because a request repeats an earlier claim, or because the queue or a claim changed
   * meanwhile.
   */
  readonly claimed: boolean;
  readonly recorded: readonly RecordedClaim[];
  /** Null if the round ended before it asked for a quota. */
  readonly quota: ClaimQuota | null;
  /** Whether places stayed empty because the tasks of the others have as many bytes as one round may have, in the log or outside. */
  readonly more: boolean;
  /** The claim ids that already got tasks. */
  readonly repeated: readonly string[];
  /** Tasks that holds keep from being given out: some of those in front of the queue. Nothing is claimed before they are held. */
  readonly caught: readonly CaughtTask[];
}

/** A pending task that matches a hold, which `heldBy` names. */
export interface CaughtTask {
  readonly taskId: string;
  readonly heldBy: HoldRef;
}

export const NOTHING_CLAIMED: ClaimRound = {
  claimed: false,
  recorded: [],
  quota: null,
  more: false,
  repeated: [],
  caught: [],
};

/** A claim that was made earlier, with those of its leases that still stand and the histories of their tasks. */
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

/**
 * Picks tasks and records their claims. There is an implementation for a log in this database and one for a log
 * elsewhere.
 */
export abstract class ClaimSource {
  /**
   * Picks as many tasks as the rules' quota and the bytes of a round allow, one at least. Asks the rules to decide on them, and records the claims. Puts tasks
   * that cannot be read into quarantine; if it found no others, it picks again.
   */
  abstract round(rules: ClaimRules): Promise<ClaimRound>;

  /** The claim made under this id; null if there is none, or if it was given up before it was recorded. */
  abstract earlier(claimId: string): Promise<EarlierClaim | null>;
}
