import type { EventView } from '@waybill/client';
import { useLocation } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { firstOf } from '../app/live.js';
import { useMay, useReadable } from '../app/me.js';
import { service } from '../app/service.js';
import { type Course, courseOf } from './course.js';
import { useMoment } from './moment.js';
import { isPosition, type Span, type Stop } from './stops.js';

/** The time of the moment that the page stands at, in milliseconds; null for now, and until it is known. */
export function useMomentMs(): number | null {
  const moment = useMoment();
  const isCounted = moment !== undefined && isPosition(moment);
  const mayRead = useMay()({ permission: 'read' });
  const { data = null } = useQuery({
    queryKey: ['time of', moment],
    queryFn: () => timeOf(BigInt(moment!)),
    enabled: isCounted && mayRead,
    staleTime: Infinity,
    retry: false,
    placeholderData: undefined,
  });
  if (moment === undefined) return null;
  const at = isCounted ? data : Date.parse(moment);
  return Number.isNaN(at) ? null : at;
}

/** The first event of the log, for a page that stands at a time; null for those who may not read it. */
export function useBeginning(): { readonly event: EventView | null; readonly isLoading: boolean } {
  const moment = useMoment();
  const mayRead = useMay()({ permission: 'read' });
  const { data: event = null, isLoading } = useQuery({
    queryKey: ['beginning'],
    queryFn: () => firstOf(service(undefined).events({ limit: 1 }), 1).then(([first]) => first ?? null),
    enabled: moment !== undefined && !isPosition(moment) && mayRead,
    staleTime: Infinity,
    retry: false,
    placeholderData: undefined,
  });
  return { event, isLoading };
}

/** The time of the event at a position, or of the next one. */
async function timeOf(position: bigint): Promise<number | null> {
  const after = position > 0n ? position - 1n : 0n;
  const [event] = await firstOf(service(undefined).events({ after: String(after), limit: 1 }), 1);
  return event ? Date.parse(event.recordedAt) : null;
}

/** A course is a request: those queues have one that do most. */
const MOST_COURSES = 20;
/** Among so many. */
const MOST_QUEUES = 500;
const COURSE_EVERY_MS = 60_000;

/** What the queues that do most did in the range of the bar, which ends now; undefined until it is known. */
export function useCourse(span: Span): Course | undefined {
  const readable = useReadable();
  const { data } = useQuery({
    queryKey: ['course of all', span, readable],
    queryFn: async () => {
      const names = readable ?? (await busiest());
      const asked = names.slice(0, MOST_COURSES).map((name) => service(undefined).queue(name).figures({ from: span }));
      return courseOf(await Promise.all(asked));
    },
    staleTime: COURSE_EVERY_MS,
    retry: false,
    placeholderData: undefined,
  });
  return data;
}

async function busiest(): Promise<string[]> {
  const stats = await firstOf(service(undefined).queueStats({ internal: false, limit: MOST_QUEUES }), MOST_QUEUES);
  const doneIn = ({ counts }: (typeof stats)[number]): number => (counts.succeeded ?? 0) + (counts.failed ?? 0);
  return stats.sort((one, other) => doneIn(other) - doneIn(one)).map(({ queue }) => queue);
}

/** More events of one thing are passed by steps of time. */
const MOST_STOPS = 1_000;

/** The things whose pages step from event to event, by how their addresses begin. */
const HISTORIES = {
  tasks: (id: string) =>
    service(undefined)
      .task(id)
      .history()
      .then((events) => events.slice(0, MOST_STOPS)),
  queues: (name: string) => firstOf(service(undefined).queue(name).history(), MOST_STOPS),
  batches: (id: string) => firstOf(service(undefined).batch(id).history(), MOST_STOPS),
  triggers: (name: string) => firstOf(service(undefined).trigger(name).history(), MOST_STOPS),
} as const;

/** The events of what the page shows, if it is one thing with a history of its own. */
export function useStops(): readonly Stop[] | null {
  const { pathname } = useLocation();
  const isPast = useMoment() !== undefined;
  const [, kind = '', name] = pathname.split('/');
  const isOne = kind in HISTORIES && name !== undefined;
  const { data } = useQuery({
    queryKey: ['stops', kind, name],
    queryFn: () => HISTORIES[kind as keyof typeof HISTORIES](decodeURIComponent(name!)),
    enabled: isOne && isPast,
    retry: false,
    placeholderData: undefined,
  });
  return isOne && data && data.length < MOST_STOPS ? data : null;
}
