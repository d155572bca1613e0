import { sameContent } from '../../domain/kernel/json.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import {
  type Labels,
  limitsOf,
  type QueuePolicy,
  type Rate,
  valueOf,
  wholePolicy,
} from '../../domain/queue/queue.policy.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { BeforeTheLog, HistoryNotReady, type Moment, type Past } from '../kernel/past.port.js';
import type { TaskThen } from '../kernel/tasks-then.port.js';
import { labelsIn } from './past-surroundings.js';
import type { Facts } from './why.js';

/** The claims of a queue that are read for one answer, and for how long. */
const MOST_CLAIMS = 5_000;
const WITHIN_MS = 5_000;
/** By such a part of the time that the rate gives one start, the time of the next one may be too late. */
const CLOSE = 0.01;
/** So many times as far back goes the next look, if one does not tell. */
const FURTHER = 8;

export interface RatesThen {
  /** The rates that allowed no start of the task. */
  readonly paced: Facts['paced'];
  /** Whether the starts that are read leave open what a rate allowed. */
  readonly isUntold: boolean;
}

type Value = { readonly label: string; readonly labelValue: string | null };

/** A rate that starts of the task count against. */
interface Pace {
  readonly queue: string;
  readonly rate: Rate;
  /** The value whose rate it is; null: the queue's. */
  readonly value: Value | null;
  /** The version of the policy since which it holds. */
  readonly version: Recorded;
  /** Whether the queue began with it, so that nothing was used up. */
  readonly isFirst: boolean;
}

/** Until when a rate was used up, at least and at most. */
interface Used {
  readonly least: number;
  readonly most: number;
}

/**
 * What rates allowed at a moment: no event has it, but the starts have, by the same rule (GCRA). How much of the burst was used up before the first of
 * them is not known, so this looks back until that makes no difference: up to a time in which the rate was not used up.
 */
export async function ratesThen(
  past: Past,
  { row }: TaskThen,
  queue: readonly Recorded[],
  moment: Moment,
): Promise<RatesThen> {
  const paced: Facts['paced'][number][] = [];
  let isUntold = false;
  for (const pace of pacesOf(row, queue)) {
    const until = await nextStart(past, pace, moment);
    if (until === 'untold') isUntold = true;
    else if (until !== null) paced.push({ until: new Date(Math.ceil(until)).toISOString(), ...pace.value });
  }
  return { paced: paced.sort((one, other) => (one.until < other.until ? -1 : 1)), isUntold };
}

function pacesOf(row: TaskThen['row'], queue: readonly Recorded[]): readonly Pace[] {
  const labels = row.labels === null ? null : (JSON.parse(row.labels) as Labels);
  const versions = queue.filter(({ event }) => 'policy' in event.data);
  const policyOf = ({ event }: Recorded): QueuePolicy =>
    wholePolicy((event as Extract<QueueEvent, { readonly data: { readonly policy: QueuePolicy } }>).data.policy);
  const found = (rateIn: (policy: QueuePolicy) => Rate | null, value: Value | null): readonly Pace[] => {
    const rate = rateIn(policyOf(versions.at(-1)!));
    if (rate === null) return [];
    const from = versions.findLastIndex((version) => !sameContent(rateIn(policyOf(version)), rate)) + 1;
    return [{ queue: row.queue, rate, value, version: versions[from]!, isFirst: from === 0 }];
  };
  const { perLabel } = policyOf(versions.at(-1)!);
  return [
    ...found(({ rate }) => rate, null),
    ...(perLabel === null
      ? []
      : found(rateOf(perLabel.label, labels), { label: perLabel.label, labelValue: valueOf(perLabel, labels) })),
  ];
}

const rateOf =
  (label: string, labels: Labels | null) =>
  ({ perLabel }: QueuePolicy): Rate | null =>
    perLabel?.label === label ? (limitsOf(perLabel, valueOf(perLabel, labels)).rate ?? null) : null;

/** When the rate allowed the next start; null if it did at the moment. */
async function nextStart(past: Past, pace: Pace, moment: Moment): Promise<number | null | 'untold'> {
  const [at, since] = [Date.parse(moment.at), Date.parse(pace.version.recordedAt)];
  const { burst } = pace.rate;
  const time = timeOfStart(pace.rate);
  for (let back = 2 * burst * time; ; back *= FURTHER) {
    const from = Math.max(since, at - back);
    const starts = await startsSince(past, pace, { from, isAll: from === since }, moment);
    if (starts === null) return 'untold';
    const before = { least: from, most: from === since && pace.isFirst ? from : from + burst * time };
    const { least, most } = usedAfter(starts, before, pace.rate);
    const ahead = (burst - 1) * time;
    if (most - ahead <= at) return null;
    if (least - ahead > at && most - least <= time * CLOSE) return most - ahead;
    if (from === since) return 'untold';
  }
}

/** As Postgres counts it, in milliseconds. */
const timeOfStart = ({ starts, perMs }: Rate): number => Math.ceil((perMs * 1_000) / starts) / 1_000;

/** A start was allowed, so no more was used up than its rate lets be. */
function usedAfter(starts: readonly number[], before: Used, rate: Rate): Used {
  const time = timeOfStart(rate);
  return starts.reduce<Used>(({ least, most }, at) => {
    const allowed = at + rate.burst * time;
    return {
      least: Math.min(Math.max(least, at) + time, allowed),
      most: Math.min(Math.max(most, at) + time, allowed),
    };
  }, before);
}

/** The times of the starts that count against the rate; null if they are too many, or the log does not tell which they are. */
async function startsSince(
  past: Past,
  { queue, value, version }: Pace,
  { from, isAll }: { readonly from: number; readonly isAll: boolean },
  { position: upTo }: Moment,
): Promise<readonly number[] | null> {
  const after = isAll ? version.position : await positionAt(past, from);
  if (after === null) return null;
  const asked = { queue, types: ['TaskClaimed'], after, upTo, most: MOST_CLAIMS, withinMs: WITHIN_MS };
  const { events, isWhole } = await past.eventsOf(asked);
  if (!isWhole) return null;
  const claims = value === null ? events : await ofValue(past, events, value, upTo);
  return claims?.map(({ event }) => Date.parse((event as ClaimEvent).data.claimedAt)) ?? null;
}

type ClaimEvent = Extract<TaskEvent, { readonly type: 'TaskClaimed' }>;

async function positionAt(past: Past, at: number): Promise<bigint | null> {
  try {
    return (await past.momentOf({ at: new Date(at) })).position;
  } catch (error) {
    if (error instanceof BeforeTheLog) return 0n;
    if (error instanceof HistoryNotReady) return null;
    throw error;
  }
}

/** Null if one of the tasks is erased, whose value nobody knows any more. */
async function ofValue(past: Past, claims: readonly Recorded[], { label, labelValue }: Value, position: bigint) {
  const streams = [...new Set(claims.map(({ stream }) => stream))];
  const histories = (await past.historiesAt(streams, position)) as readonly (readonly Recorded<TaskEvent>[])[];
  if (histories.some((history) => history.some(({ event }) => event.type === 'TaskErased'))) return null;
  const alike = new Set(streams.filter((_, at) => (labelsIn(histories[at]!)?.[label] ?? null) === labelValue));
  return claims.filter(({ stream }) => alike.has(stream));
}
