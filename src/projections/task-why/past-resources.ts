import { needsOf, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { ResourceEvent } from '../../domain/resource/resource.events.js';
import { resourceStream } from '../../domain/resource/resource.stream.js';
import type { Moment, Past } from '../kernel/past.port.js';
import type { TaskThen } from '../kernel/tasks-then.port.js';
import { resourceRow } from '../kernel/rows/resource-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import type { Facts } from './why.js';

type Need = ReturnType<typeof needsOf>[number];

/** What the step needed and did not have, by the last crossing of a limit. */
export async function shortOf(
  past: Past,
  { row }: TaskThen,
  { steps }: QueuePolicy,
  { position }: Moment,
): Promise<Facts['shortOf']> {
  const step = steps.find((one) => typeof one !== 'string' && one.name === row.step);
  const needs = step === undefined ? [] : [...needsOf(step)].sort(byResource);
  const streams = needs.map(({ resource }) => resourceStream(resource));
  const histories = await past.historiesAt(streams, position);
  return needs.flatMap((need, at) => unmet(need, eventsIn<ResourceEvent>(histories[at]!)));
}

/** Of every step. */
export const streamsOfNeeds = ({ steps }: QueuePolicy): readonly string[] =>
  steps.flatMap((step) => needsOf(step).map(({ resource }) => resourceStream(resource)));

const byResource = (one: Need, other: Need): number =>
  one.resource === other.resource ? one.below - other.below : one.resource < other.resource ? -1 : 1;

interface ResourceThen {
  readonly state?: string;
  readonly unit?: string | null;
  readonly level?: number | null;
  readonly crossed_at?: string | null;
}

function unmet({ resource, below }: Need, events: readonly ResourceEvent[]): Facts['shortOf'] {
  const { state, unit, level, crossed_at }: ResourceThen = events.length === 0 ? {} : resourceRow(events);
  const value = state === 'defined' ? (level ?? null) : null;
  if (value !== null && value < below) return [];
  return [{ resource, below, value, measuredAt: crossed_at ?? null, never: below <= 0 && unit === '%' }];
}
