import type { BatchView, FailureGroupSummary, OperationView, TaskSummary, Waybill } from '@waybill/client';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { groupsIn } from '../failures/failures.queries.js';
import { MOST_OPERATIONS } from '../operations/operations.queries.js';
import { firstOf } from './live.js';
import { useReadable } from './me.js';
import {
  batchEntry,
  failureEntry,
  type NamedEntry,
  operationEntry,
  queueEntry,
  taskEntry,
  triggerEntry,
} from './palette-entry.js';
import { MOST_QUEUES } from './palette.queries.js';
import { service } from './service.js';
import { keyOf, type Visit } from './visit.js';
import { forget, usePerson, useVisits } from './visits.js';

/** The visited things that the service still knows. */
interface Known {
  readonly tasks: readonly TaskSummary[];
  readonly batches: readonly BatchView[];
  readonly groups: readonly FailureGroupSummary[];
  readonly operations: readonly OperationView[];
}

const NOTHING: Known = { tasks: [], batches: [], groups: [], operations: [] };

/** The pages that the person has seen and that are still there, the last one first, without the one that is shown. */
export function useVisited(queueNames: readonly string[]): NamedEntry[] {
  const go = useNavigate();
  const { pathname } = useLocation();
  const visits = useVisits();
  const known = useKnown(visits);
  const entries = [
    ...known.tasks.map((task) => taskEntry(task, go)),
    ...known.batches.map((batch) => batchEntry(batch, go)),
    ...known.groups.map((group) => failureEntry(group, go)),
    ...known.operations.map((operation) => operationEntry(operation, go)),
    ...idsOf('queue', visits).flatMap((name) => (isThere(name, queueNames) ? queueEntry(name, go) : [])),
    ...idsOf('trigger', visits).map((name) => triggerEntry(name, go)),
  ];
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const others = visits.filter(({ id }) => !pathname.split('/').includes(id));
  return others.flatMap((visit) => byKey.get(keyOf(visit)) ?? []);
}

const idsOf = (sort: Visit['sort'], visits: readonly Visit[]): string[] =>
  visits.filter((visit) => visit.sort === sort).map(({ id }) => id);

/** Where there are more queues than the palette knows, it cannot tell. */
const isThere = (queue: string, names: readonly string[]): boolean =>
  names.includes(queue) || names.length >= MOST_QUEUES;

/** What the service says of the visited things. Forgets those that it was asked for by their ids and has not. */
function useKnown(visits: readonly Visit[]): Known {
  const person = usePerson();
  const readable = useReadable();
  const { data = NOTHING } = useQuery({
    queryKey: ['visited', visits, readable],
    queryFn: async () => {
      const known = await askFor(service(undefined), visits, readable);
      const found = new Set([...known.tasks, ...known.batches].map(({ id }) => id));
      const gone = visits.filter(({ sort, id }) => (sort === 'task' || sort === 'batch') && !found.has(id));
      if (person !== undefined && gone.length > 0) forget(person, gone);
      return known;
    },
    retry: false,
  });
  return data;
}

/** Asks once for all of a sort, and only for sorts that were visited. */
async function askFor(waybill: Waybill, visits: readonly Visit[], readable: readonly string[] | null): Promise<Known> {
  const ask = async <T>(sort: Visit['sort'], read: (ids: readonly string[]) => Promise<readonly T[]>) => {
    const ids = idsOf(sort, visits);
    return ids.length === 0 ? [] : read(ids);
  };
  const within = readable ? `queue:${readable.join(',')} ` : '';
  const [tasks, batches, groups, operations] = await Promise.all([
    ask('task', (ids) => firstOf(waybill.tasks.list({ q: `${within}id:${ids.join(',')}` }), ids.length)),
    ask('batch', (ids) => firstOf(waybill.batches({ q: `id:${ids.join(',')}` }), ids.length)),
    ask('failure', () => groupsIn(waybill, readable ?? [undefined])),
    ask('operation', () => firstOf(waybill.operations({ limit: MOST_OPERATIONS }), MOST_OPERATIONS)),
  ]);
  return { tasks, batches, groups, operations };
}
