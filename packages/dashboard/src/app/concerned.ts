import type { ChangeNotice } from '@waybill/client';

/** Of what these queries show, a notice names each by its id or name. What others show may have changed by whatever it names. */
const OF_ONE: Readonly<Record<string, 'tasks' | 'queues'>> = {
  task: 'tasks',
  'task why': 'tasks',
  'task history': 'tasks',
  queue: 'queues',
  'queue stats': 'queues',
  'queue history': 'queues',
  'policy versions': 'queues',
};

/** These change by the clock, or seldom, or are dear, and ask at their own pace; the pages of a list stay as they were loaded, so that its rows do. */
const AT_OWN_PACE: readonly unknown[] = [
  'course',
  'retention',
  'api keys',
  'found tasks',
  'task pages',
  'views',
  'cause',
];

/** Whether what the query of this key shows may have changed. What it shows of the past never does. */
export function isConcerned([moment, kind, name]: readonly unknown[], notice: ChangeNotice): boolean {
  if (moment !== 'now' || AT_OWN_PACE.includes(kind)) return false;
  const sort = OF_ONE[String(kind)];
  const named = sort && notice[sort];
  return notice.everything || !named || named.includes(String(name));
}
