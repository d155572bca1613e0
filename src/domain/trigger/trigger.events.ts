import type { CronPattern } from '../kernel/cron.js';
import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime, Json } from '../kernel/json.js';
import type { WorkerLabels } from '../kernel/worker-labels.js';

// STORAGE FORMAT. Names, versions and shapes below are permanent: add events or upcasters, never edit them.

/** What becomes of occurrences during which nothing could fire. `each`: the newest hundred of them fire. */
export type Missed = 'each' | 'latest' | 'skip';

/** What every task of a trigger is. */
export interface TriggeredTask {
  readonly queue: string;
  readonly kind?: string;
  readonly key?: string;
  readonly priority?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** What it needs of its worker. Absent: what its queue says. */
  readonly needs?: WorkerLabels;
  /** How long it may wait for a worker. */
  readonly ttlMs?: number;
  /** When it should be done: this long after what it is made for. */
  readonly deadlineMs?: number;
  readonly payload?: Json;
}

/** Who is told, by mail or by a call of a webhook. `secret`: the name of the secret that signs. */
export type Recipient =
  | { readonly mail: { readonly to: readonly string[] } }
  | { readonly webhook: { readonly url: string; readonly secret: string } };

interface Described {
  readonly description: string;
  /** Who is told when the trigger begins to fail. */
  readonly notify?: Recipient;
}

interface Timed extends CronPattern, Described {
  readonly missed: Missed;
}

/** Whom a trigger tells which tasks of a queue are not what they were when it last told. */
export interface ToldChanges {
  readonly queue: string;
  readonly to: Recipient;
}

/** Orders one delivery at every time at which its pattern occurs: what has changed since the one before. */
export type ChangesTrigger = Timed & { readonly changes: ToldChanges };

/** Makes a task at every time at which its pattern occurs, or tells what has changed. */
export type CronTrigger = (Timed & { readonly task: TriggeredTask }) | ChangesTrigger;

/** Polls a queue at intervals, claims what is ready there, and makes one task for it: the job of these items. */
export interface QueueTrigger extends Described {
  readonly queue: string;
  /** The most items of one job. */
  readonly batchSize: number;
  /** Seconds from one poll to the next. */
  readonly every: number;
  /** How long the items wait for a worker of their job. If absent, the policy of their queue says it. */
  readonly leaseMs?: number;
  readonly task: TriggeredTask;
}

/** Which events a trigger waits for. */
export interface EventPattern {
  readonly types: readonly string[];
  /** Only events of this queue. */
  readonly queue?: string;
  /** Only failures after which the policy retries no more. */
  readonly exhausted?: true;
  /** Also the events after this position that were recorded before the trigger was defined so. Decimal; 0: all of them. */
  readonly from?: string;
}

/** Makes a task of every event that matches: one of its own, or a delivery. */
export type EventTrigger = Described & { readonly event: EventPattern } & (
    | { readonly task: TriggeredTask }
    | Recipient
  );

/** How a sender signs what it delivers. */
export type SignatureScheme = 'standard' | 'github' | 'stripe';

/** Which requests are deliveries to a trigger. */
export interface InboundDelivery {
  readonly scheme: SignatureScheme;
  /** The name of the secret under which the sender signs. */
  readonly secret: string;
  /** The headers that tasks get, in lower case. */
  readonly headers?: readonly string[];
}

/** Makes a task of every request that its sender has signed. */
export interface DeliveryTrigger extends Described {
  readonly delivery: InboundDelivery;
  readonly task: TriggeredTask;
}

export type TriggerDefinition = CronTrigger | QueueTrigger | EventTrigger | DeliveryTrigger;

/** A task that a trigger made, and the time for which it was made. */
export interface Firing {
  readonly occurrence: IsoTime;
  readonly task: string;
  /** What a queue trigger claimed for the task. */
  readonly items?: readonly string[];
  /** The position of the event that it was made of. Decimal. */
  readonly position?: string;
  /** The position up to which it tells what has changed. Decimal. The next one goes on there. */
  readonly upTo?: string;
}

/** Occurrences that made no task: how many, the first and the last. */
export interface LeftOut {
  readonly count: number;
  /** There were more: counting ended at `count`. */
  readonly atLeast?: true;
  readonly from: IsoTime;
  readonly to: IsoTime;
}

/** Occurrences of a former pattern that have not fired, and the first of the pattern of now. */
export interface Owed {
  readonly times: readonly IsoTime[];
  readonly then: IsoTime;
}

/** What `missed` left out. */
export interface Skipped extends LeftOut {
  /** Of all occurrences that the trigger has left out so far. */
  readonly total: number;
}

/** The refusal of a trigger's task, with its facts. */
export interface FiringProblem {
  readonly code: string;
}

export const TRIGGER_EVENTS = {
  /** `next`: null if the trigger waits for events or deliveries. `changesAfter`: it tells what changes after this position. Decimal. */
  TriggerDefined: event<{
    readonly trigger: string;
    readonly definition: TriggerDefinition;
    readonly next: IsoTime | null;
    readonly changesAfter?: string;
  }>({
    version: 1,
    effects: ['changes-schedule'],
    command: 'single',
  }),
  /**
   * `next`: null if the trigger is disabled, or waits for events or deliveries. `owed`: occurrences of the former pattern, whose tasks are
   * still to be made. `dropped`: open occurrences whose tasks will not be made. `changesAfter`: it begins to tell what changes after this
   * position.
   */
  TriggerChanged: event<{
    readonly trigger: string;
    readonly definition: TriggerDefinition;
    readonly next: IsoTime | null;
    readonly owed?: readonly IsoTime[];
    readonly dropped?: LeftOut;
    readonly changesAfter?: string;
  }>({ version: 1, effects: ['changes-schedule'], command: 'single' }),
  /** Occurrences while it was disabled do not count as missed. */
  TriggerEnabled: event<{ readonly trigger: string; readonly next: IsoTime | null }>({
    version: 1,
    effects: ['changes-schedule'],
    command: 'single',
  }),
  TriggerDisabled: event<{ readonly trigger: string; readonly dropped?: LeftOut }>({
    version: 1,
    effects: [],
    command: 'single',
  }),
  TriggerDeleted: event<{ readonly trigger: string; readonly dropped?: LeftOut }>({
    version: 1,
    effects: [],
    command: 'single',
  }),
  /** The tasks exist. `next`: absent if a person fired it, which changes nothing about its occurrences. */
  TriggerFired: event<{
    readonly trigger: string;
    readonly firings: readonly Firing[];
    readonly at: IsoTime;
    readonly next?: IsoTime;
    /** What the definition left out of the missed occurrences. */
    readonly skipped?: Skipped;
  }>({ version: 1, effects: ['changes-schedule'] }),
  /** Occurrences were missed, and the definition says to skip those. `skipped` is absent in events of earlier versions. */
  TriggerSkipped: event<{
    readonly trigger: string;
    readonly occurrence: IsoTime;
    readonly next: IsoTime;
    readonly skipped?: Skipped;
  }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  /** The task was refused. The trigger tries again at `retryAt`. */
  TriggerFailed: event<{
    readonly trigger: string;
    readonly occurrence: IsoTime;
    /** In a row. */
    readonly failures: number;
    readonly problem: FiringProblem;
    readonly retryAt: IsoTime;
  }>({ version: 1, effects: ['changes-schedule'] }),
  /**
   * The task of an event was refused. The trigger goes on with the next event. With `skipped`, it failed for so long that it gives
   * up these events together, up to `position`.
   */
  TriggerGaveUp: event<{
    readonly trigger: string;
    /** The time and the position of the event. */
    readonly occurrence: IsoTime;
    readonly position: string;
    /** In a row. */
    readonly failures: number;
    readonly problem: FiringProblem;
    readonly skipped?: Skipped;
  }>({ version: 1, effects: [] }),
};

export type TriggerEvent = EventsOf<typeof TRIGGER_EVENTS>;

/** What a trigger waits for after an event that says it. */
export const waitsFor = (
  next: IsoTime | null,
  owed?: readonly IsoTime[],
): { readonly next: IsoTime | null; readonly owed: Owed | null } =>
  owed === undefined ? { next, owed: null } : { next: owed[0]!, owed: { times: owed, then: next! } };
