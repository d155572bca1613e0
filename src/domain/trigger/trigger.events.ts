import type { CronPattern } from '../kernel/cron.js';
import { event, type EventsOf } from '../kernel/event-declaration.js';
import type { IsoTime, Json } from '../kernel/json.js';

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
  readonly payload?: Json;
}

/** Makes a task at every time at which its pattern occurs. */
export interface CronTrigger extends CronPattern {
  readonly description: string;
  readonly missed: Missed;
  readonly task: TriggeredTask;
}

/** Looks into a queue at intervals, claims what is ready there, and makes one task for it: the job of these items. */
export interface QueueTrigger {
  readonly description: string;
  readonly queue: string;
  /** The most items of one job. */
  readonly batchSize: number;
  /** Seconds from one look to the next. */
  readonly every: number;
  /** How long the items wait for a worker of their job. If absent, the policy of their queue says it. */
  readonly leaseMs?: number;
  readonly task: TriggeredTask;
}

export type TriggerDefinition = CronTrigger | QueueTrigger;

/** A task that a trigger made, and the time for which it was made. */
export interface Firing {
  readonly occurrence: IsoTime;
  readonly task: string;
  /** What a queue trigger claimed for the task. */
  readonly items?: readonly string[];
}

/** The refusal of a trigger's task, with its facts. */
export interface FiringProblem {
  readonly code: string;
}

export const TRIGGER_EVENTS = {
  TriggerDefined: event<{ readonly trigger: string; readonly definition: TriggerDefinition; readonly next: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  /** `next`: null if the trigger is disabled. */
  TriggerChanged: event<{
    readonly trigger: string;
    readonly definition: TriggerDefinition;
    readonly next: IsoTime | null;
  }>({ version: 1, effects: ['changes-schedule'] }),
  /** Occurrences while it was disabled do not count as missed. */
  TriggerEnabled: event<{ readonly trigger: string; readonly next: IsoTime }>({
    version: 1,
    effects: ['changes-schedule'],
  }),
  TriggerDisabled: event<{ readonly trigger: string }>({ version: 1, effects: [] }),
  TriggerDeleted: event<{ readonly trigger: string }>({ version: 1, effects: [] }),
  /** The tasks exist. `next`: absent if a person fired it, which changes nothing about its occurrences. */
  TriggerFired: event<{
    readonly trigger: string;
    readonly firings: readonly Firing[];
    readonly at: IsoTime;
    readonly next?: IsoTime;
  }>({ version: 1, effects: ['changes-schedule'] }),
  /** Occurrences were missed, and the definition says to skip those. */
  TriggerSkipped: event<{ readonly trigger: string; readonly occurrence: IsoTime; readonly next: IsoTime }>({
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
};

export type TriggerEvent = EventsOf<typeof TRIGGER_EVENTS>;
