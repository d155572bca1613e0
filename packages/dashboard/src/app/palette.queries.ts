import type { BatchView, TaskSummary, Waybill } from '@waybill/client';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { firstOf, useLive } from './live.js';
import { useReadable } from './me.js';
import { service } from './service.js';

/** More queues are found by typing into the list of queues. */
export const MOST_QUEUES = 500;
const MOST_TASKS = 5;
const MOST_BATCHES = 3;

export function useQueueNames() {
  const names = useReadable();
  return useLive(['queue names', names ?? 'all'], async (waybill) => names ?? (await everyName(waybill)));
}

const everyName = async (waybill: Waybill): Promise<string[]> =>
  (await firstOf(waybill.queues({ internal: false, limit: MOST_QUEUES }), MOST_QUEUES)).map(({ name }) => name);

/** Tasks that have the text as their id, the end of it, their reference or their key. */
export function useFoundTasks(typed: string) {
  const text = useDeferredValue(typed);
  const queues = useReadable();
  return useQuery({
    queryKey: ['found tasks', text],
    queryFn: () => found(service(undefined), text, queues),
    enabled: text.length >= 3,
    retry: false,
  });
}

async function found(waybill: Waybill, text: string, queues: readonly string[] | null): Promise<TaskSummary[]> {
  const words = [isId(text) ? `id:${text}` : null, `reference:${quoted(text)}`, `key:${quoted(text)}`];
  const within = queues ? `queue:${queues.join(',')} ` : '';
  const asked = words.flatMap((q) =>
    q === null ? [] : [firstOf(waybill.tasks.list({ q: within + q }, { limit: MOST_TASKS }), MOST_TASKS)],
  );
  const lists = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  return [...new Map(lists.map((task) => [task.id, task])).values()].slice(0, MOST_TASKS);
}

/** Batches that have the text as their id or the end of it, or in their name. */
export function useFoundBatches(typed: string) {
  const text = useDeferredValue(typed);
  const mayRead = useReadable() === null;
  return useQuery({
    queryKey: ['found batches', text],
    queryFn: () => foundBatches(service(undefined), text),
    enabled: mayRead && text.length >= 3,
    retry: false,
  });
}

const foundBatches = (waybill: Waybill, text: string): Promise<BatchView[]> =>
  firstOf(
    waybill.batches({ q: isId(text) ? `id:${text.toLowerCase()}` : quoted(text), limit: MOST_BATCHES }),
    MOST_BATCHES,
  );

const isId = (text: string): boolean => /^[0-9a-f]{8}$|^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text);

const quoted = (text: string): string => JSON.stringify(text);
