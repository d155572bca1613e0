import type { LeavingTasks, RetentionDays } from '@waybill/client';
import { count } from '@waybill/client/words';
import { type Command, InvalidArgumentError } from 'commander';
import { whole } from '../arguments.js';
import type { Open } from '../session.js';
import { type Column, fields, tableOf } from '../terminal/table.js';

export function addRetention(queue: Command, open: Open): void {
  queue
    .command('retention <queue>')
    .description("count the ended tasks that leave a queue's lists now; changes nothing")
    .option(
      '--days <state=n>',
      "try this instead of the queue's policy, such as succeeded=30; repeat it for more states",
      days,
    )
    .action(async (name: string, { days: tried }: { days?: RetentionDays }, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await waybill.queue(name).retention(tried);
      await printer.show(view, (paint) => [
        ...fields(
          [
            ['queue', view.queue],
            ['in the archive', count(view.archived)],
            ['last looked through', view.lastPassAt],
          ],
          paint,
        ),
        '',
        ...(view.states.length > 0
          ? [tableOf(view.states, COLUMNS, paint)]
          : ['No task of this queue ever leaves the lists.']),
        ...(view.more ? ['There are more tasks than these, which were not counted.'] : []),
      ]);
    });
}

const COLUMNS: readonly Column<LeavingTasks>[] = [
  { title: 'state', of: ({ state }) => state },
  { title: 'days', of: ({ days: after }) => after, right: true },
  { title: 'leave now', of: ({ tasks }) => count(tasks), right: true },
  { title: 'oldest ended', of: ({ oldestEndedAt }) => oldestEndedAt },
  { title: 'first', of: ({ first: [id] }) => id ?? null },
];

/** The service knows the states. */
function days(given: string, before: RetentionDays = {}): RetentionDays {
  const [state, number, ...rest] = given.split('=');
  if (!state || number === undefined || rest.length > 0)
    throw new InvalidArgumentError('Expected a state and a number of days, such as succeeded=30.');
  return { ...before, [state]: whole(number) };
}
