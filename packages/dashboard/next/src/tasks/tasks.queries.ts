import type { TaskPage } from '@waybill/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { service } from '../app/service.js';
import { useLive } from '../app/live.js';
import { useMoment } from '../time/moment.js';

/** As many tasks as a page of the list has. */
export const PAGE = 100;

/** The first tasks that a search finds, kept up to date. */
export const useTasks = (q: string, most = PAGE) =>
  useLive(
    ['tasks', q, most],
    async (waybill) => (await waybill.tasks.page({ q: q || undefined }, { limit: most })).items,
  );

/** All tasks that a search finds, page by page. They stay where they are: `useTasks` says what came since. */
export function useTaskPages(q: string) {
  const moment = useMoment();
  return useInfiniteQuery({
    queryKey: [moment ?? 'now', 'task pages', q],
    queryFn: ({ pageParam }) =>
      service(moment).tasks.page({ q: q || undefined }, { limit: PAGE, cursor: pageParam ?? undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: TaskPage) => nextCursor,
  });
}

export const useTask = (id: string) => useLive(['task', id], (waybill) => waybill.task(id).get());

export const useTaskWhy = (id: string) => useLive(['task why', id], (waybill) => waybill.task(id).why());

export const useTaskHistory = (id: string) => useLive(['task history', id], (waybill) => waybill.task(id).history());
