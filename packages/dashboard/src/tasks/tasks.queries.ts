import type { EventView, TaskFilter, TaskPage } from '@waybill/client';
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { service } from '../app/service.js';
import { firstOf, useLive } from '../app/live.js';
import { useMoment } from '../time/moment.js';
import { filterOf, type ListedTasks } from './listed-tasks.js';

/** As many tasks as the first page of a list has. */
export const PAGE = 100;

/** As many as those after it have: the most that the service gives. */
const NEXT_PAGE = 500;

/** The newest first; as of a moment, the service lists by id alone, the oldest first. */
const inOrder = (listed: ListedTasks, isPast: boolean): TaskFilter => ({
  ...(!isPast && { sort: 'newest' }),
  ...filterOf(listed),
});

/** A page of the past that is the whole list, in the order of now. */
const asNow = (page: TaskPage): TaskPage =>
  page.nextCursor === null ? { ...page, items: [...page.items].reverse() } : page;

/** The first tasks of a list, kept up to date. */
export const useListed = (listed: ListedTasks, most = PAGE) =>
  useLive(['tasks', listed, most], async (waybill, isPast) => {
    const page = await waybill.tasks.page(inOrder(listed, isPast), { limit: most });
    return isPast ? asNow(page).items : page.items;
  });

/** The first tasks that a search finds, kept up to date. */
export const useTasks = (q: string, most = PAGE) => useListed({ q }, most);

/** All tasks of a list, page by page, read anew with each `round`. They stay where they are: `useListed` says what came since. */
export function useTaskPages(listed: ListedTasks, round: number) {
  const moment = useMoment();
  return useInfiniteQuery({
    queryKey: [moment ?? 'now', 'task pages', listed, round],
    queryFn: async ({ pageParam }) => {
      const page = await service(moment).tasks.page(inOrder(listed, moment !== undefined), {
        limit: pageParam === null ? PAGE : NEXT_PAGE,
        cursor: pageParam ?? undefined,
      });
      return moment !== undefined && pageParam === null ? asNow(page) : page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: TaskPage) => nextCursor,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    // Pages stay as they were loaded: to compare all of them with each further one would take longer with each.
    structuralSharing: false,
  });
}

interface Suggested {
  /** The search, as it may go on. */
  readonly search: string;
  /** What the suggestion stands for. */
  readonly about: string | null;
}

/** How a search may go on that is written so far, by what there is now. */
export function useSuggestions(written: string): readonly Suggested[] {
  const { data = [] } = useQuery({
    queryKey: ['suggestions', written],
    queryFn: async (): Promise<readonly Suggested[]> => {
      const { at, items } = await service(undefined).tasks.suggestions(written);
      return items.map(({ text, about }) => ({ search: written.slice(0, at) + text, about }));
    },
    retry: false,
  });
  return data;
}

export const useTask = (id: string) => useLive(['task', id], (waybill) => waybill.task(id).get());

/** As many results as the page of a task shows. */
const RESULTS = 20;

/** What the first of the tasks that it waited for have come to. */
export const useResults = (id: string, isAsked: boolean) =>
  useLive(['task results', id], (waybill) => firstOf(waybill.task(id).results({ limit: RESULTS }), RESULTS), {
    onlyPresent: true,
    isAsked,
  });

export const useTaskWhy = (id: string) => useLive(['task why', id], (waybill) => waybill.task(id).why());

export const useTaskHistory = (id: string) => useLive(['task history', id], (waybill) => waybill.task(id).history());

/** The histories of some tasks, by their ids: of each once, and anew when it changes. */
export function useHistories(ids: readonly string[]): ReadonlyMap<string, readonly EventView[]> {
  const moment = useMoment();
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [moment ?? 'now', 'task history', id],
      queryFn: () => service(moment).task(id).history(),
    })),
    combine: (results) => new Map(results.flatMap(({ data }, at) => (data ? [[ids[at]!, data] as const] : []))),
  });
}

/** The rules of a queue for the steps of its tasks. */
export const useStepRules = (queue: string, hasSteps: boolean) =>
  useLive(['step rules', queue, hasSteps], async (waybill) =>
    hasSteps ? (await waybill.queue(queue).get()).policy.steps : [],
  );

/** The task of a queue and kind that succeeded last; null if none has. */
export const useLastSuccess = (queue: string, kind: string) =>
  useLive(['last success', queue, kind], async (waybill) => {
    const q = `queue:${queue} kind:${JSON.stringify(kind)} state:succeeded`;
    const [found] = (await waybill.tasks.page({ q }, { limit: 1 })).items;
    return found ? waybill.task(found.id).get() : null;
  });
