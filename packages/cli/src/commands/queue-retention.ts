import type { LeavingTasks, RetentionDays, Waybill } from '@waybill/client';
import { count, plural } from '@waybill/client/words';
import { type Command, InvalidArgumentError } from 'commander';
import { whole } from '../arguments.js';
import type { Open } from '../session.js';
import { type Column, fields } from '../terminal/table.js';

export function addRetention(queue: Command, open: Open): void {
  queue
    .command('retention <queue>')
    .description("count the ended tasks that leave a queue's lists now, and say when contents expire; changes nothing")
    .option(
      '--days <state=n>',
      "try this instead of the queue's policy, such as succeeded=30; repeat it for more states",
      days,
    )
    .action(async (name: string, { days: tried }: { days?: RetentionDays }, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await waybill.queue(name).retention(tried);
      const expiry = printer.json ? [] : await expiryOf(waybill, name);
      await printer.show(view, (paint) => [
        ...fields(
          [
            ['queue', view.queue],
            ['in the archive', count(view.archived)],
            ['last looked through', view.lastPassAt],
            ...expiry,
          ],
          paint,
        ),
        '',
        ...(view.states.length > 0
          ? [printer.table(view.states, COLUMNS)]
          : ['No task of this queue ever leaves the lists.']),
        ...(view.more ? ['There are more tasks than these, which were not counted.'] : []),
      ]);
    });
}

/** After how long the queue forgets what its tasks were about, and what it forgot last. */
async function expiryOf(waybill: Waybill, queue: string): Promise<(readonly [string, string])[]> {
  const { expireDays } = (await waybill.queue(queue).get()).policy;
  if (expireDays === null) return [];
  const q = `queue:waybill.erasures label.waybill.expires:${JSON.stringify(queue)} state:succeeded`;
  const [last] = (await waybill.tasks.page({ q }, { limit: 1 })).items;
  const { erased = 0 } = last ? ((await waybill.task(last.id).get()).result as { readonly erased: number }) : {};
  return [
    ['contents expire', `${plural(expireDays, 'day')} after the end of a task, each day at 00:00 UTC`],
    ['last expiry', last ? `${last.finishedAt}, of ${plural(erased, 'task')}, by ${last.id}` : 'none yet'],
  ];
}

const COLUMNS: readonly Column<LeavingTasks>[] = [
  { title: 'state', of: ({ state }) => state, as: 'state' },
  { title: 'days', of: ({ days: after }) => after, right: true },
  { title: 'leave now', of: ({ tasks }) => count(tasks), right: true },
  { title: 'oldest ended', of: ({ oldestEndedAt }) => oldestEndedAt },
  { title: 'first', of: ({ first: [id] }) => id ?? null, as: 'id', drop: 1 },
];

/** The service knows the states. */
function days(given: string, before: RetentionDays = {}): RetentionDays {
  const [state, number, ...rest] = given.split('=');
  if (!state || number === undefined || rest.length > 0)
    throw new InvalidArgumentError('Expected a state and a number of days, such as succeeded=30.');
  return { ...before, [state]: whole(number) };
}
