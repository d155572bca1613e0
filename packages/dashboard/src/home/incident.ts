import type { FailureGroupSummary, ProjectionView, QueueStats, QueueView, SystemView } from '@waybill/client';
import { groupTitle } from '../failures/group-title.js';
import { plural, whole } from '../ui/numbers.js';

/** Something that somebody should look at. */
export interface Incident {
  readonly id: string;
  readonly title: string;
  /** Where, how many and why, in one line. */
  readonly about: string;
  /** Since when; null if nothing says so. */
  readonly since: string | null;
  /** When it was last seen, if it goes on in single events. */
  readonly last: string | null;
  readonly link: IncidentLink;
}

export type IncidentLink =
  | { readonly page: 'failure'; readonly group: string }
  | { readonly page: 'queue'; readonly queue: string }
  | { readonly page: 'queues' };

/** What Home asks the service for; null where it cannot say. */
export interface Health {
  readonly groups: readonly FailureGroupSummary[] | null;
  readonly queues: readonly QueueView[] | null;
  readonly stats: readonly QueueStats[] | null;
  readonly system: SystemView | null;
  readonly projections: readonly ProjectionView[] | null;
}

/** Attempts that failed within this time may fail again, although all their tasks are tried again. */
const GOES_ON_MS = 10 * 60_000;

/** Of the past nobody knows which tasks were failed: a group is an incident if tasks failed like that within this time. */
const RECENT_MS = 24 * 3_600_000;

/** What is wrong now, the gravest first: what stops everything, what fails, the most first, what nobody works on, and what somebody stopped. */
export const incidentsOf = (health: Health, nowMs: number): Incident[] => [
  ...drains(health),
  ...stoppedModels(health),
  ...failing(health, nowMs),
  ...unattended(health),
  ...deserted(health, nowMs),
  ...pauses(health),
];

const drains = ({ system }: Health): Incident[] =>
  system?.drain
    ? [
        {
          id: 'drain',
          title: 'The system is draining: no task starts',
          about: reasoned(system.drain.by, system.drain.reason),
          since: system.drain.since,
          last: null,
          link: { page: 'queues' },
        },
      ]
    : [];

const stoppedModels = ({ projections }: Health): Incident[] =>
  (projections ?? [])
    .filter(({ status }) => status === 'stopped')
    .map(({ name, error, stoppedAt }) => ({
      id: `projection ${name}`,
      title: `The read model ${name} has stopped`,
      about: error ?? 'Its lists show what they showed then.',
      since: stoppedAt,
      last: null,
      link: { page: 'queues' },
    }));

/** More queues than this without a worker are one incident: their cause is one. */
const MOST_UNATTENDED = 3;

function unattended({ stats }: Health): Incident[] {
  const waiting = (stats ?? []).filter(({ unattended: waits }) => waits);
  if (waiting.length > MOST_UNATTENDED) return [manyUnattended(waiting)];
  return waiting.map(({ queue, counts, lastPolledAt }) => ({
    id: `unattended ${queue}`,
    title: `No worker asks for tasks of ${queue}`,
    about: `${plural(counts.pending ?? 0, 'task waits', 'tasks wait')}.`,
    since: lastPolledAt,
    last: null,
    link: { page: 'queue', queue },
  }));
}

function manyUnattended(stats: readonly QueueStats[]): Incident {
  const tasks = stats.reduce((sum, { counts }) => sum + (counts.pending ?? 0), 0);
  const names = stats.slice(0, MOST_UNATTENDED).map(({ queue }) => queue);
  return {
    id: 'unattended',
    title: `No worker asks for tasks of ${stats.length} queues`,
    about: `${plural(tasks, 'task waits', 'tasks wait')} in ${names.join(', ')} and ${stats.length - names.length} more.`,
    since: earliest(stats.map(({ lastPolledAt }) => lastPolledAt)),
    last: null,
    link: { page: 'queues' },
  };
}

/** A worker that is there asks far more often, or has a task. */
const GONE_MS = 2 * 60_000;

/** Where nothing waits yet, but tasks failed: whoever retries them must know that nobody is there. */
const deserted = ({ stats }: Health, nowMs: number): Incident[] =>
  (stats ?? [])
    .filter(
      ({ counts, unattended: waits, lastPolledAt }) =>
        !waits &&
        !counts.running &&
        lastPolledAt !== null &&
        nowMs - Date.parse(lastPolledAt) > GONE_MS &&
        counts.failed,
    )
    .map(({ queue, counts, lastPolledAt }) => ({
      id: `deserted ${queue}`,
      title: `All workers of ${queue} are gone`,
      about: `${plural(counts.failed ?? 0, 'failed task')} would wait if somebody retried them.`,
      since: lastPolledAt,
      last: null,
      link: { page: 'queue', queue },
    }));

const earliest = (times: readonly (string | null)[]): string | null =>
  times.reduce((found, at) => (at !== null && (found === null || at < found) ? at : found), null);

const pauses = ({ queues }: Health): Incident[] =>
  (queues ?? [])
    .filter(({ state }) => state === 'paused')
    .map(({ name, pause }) => ({
      id: `paused ${name}`,
      title: `${name} is paused`,
      about: pause ? reasoned(pause.by, pause.reason) : '',
      since: null,
      last: null,
      link: { page: 'queue', queue: name },
    }));

const failing = ({ groups }: Health, nowMs: number): Incident[] =>
  (groups ?? [])
    .filter((group) => isFailing(group, nowMs))
    .toSorted((a, b) => failedOf(b) - failedOf(a) || b.failedAttempts - a.failedAttempts)
    .map((group) => ({
      id: group.id,
      title: groupTitle(group),
      about: aboutOf(group),
      since: group.firstSeenAt,
      last: group.lastSeenAt,
      link: { page: 'failure', group: group.id },
    }));

function isFailing({ failedNow, lastSeenAt }: FailureGroupSummary, nowMs: number): boolean {
  const ago = nowMs - Date.parse(lastSeenAt);
  return failedNow === null ? ago < RECENT_MS : failedNow > 0 || ago < GOES_ON_MS;
}

/** Those that are failed now; of the past those that had failed. */
const failedOf = ({ failedNow, failedTasks }: FailureGroupSummary): number => failedNow ?? failedTasks;

function aboutOf(group: FailureGroupSummary): string {
  const where = group.queues.join(', ');
  if (group.failedNow === 0) return `Attempts in ${where}, whose tasks are all tried again or done`;
  const many =
    group.failedNow === MOST_FAILED_NOW ? `${whole(MOST_FAILED_NOW)} tasks or more` : plural(failedOf(group), 'task');
  return `${many} of ${where} failed`;
}

/** As far as the service counts them. */
const MOST_FAILED_NOW = 10_000;

const reasoned = (by: string, reason: string | null): string => (reason ? `${by}: ${reason}` : `By ${by}.`);
