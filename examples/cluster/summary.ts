import type { Paint } from '@waybill/cli/terminal';
import type { TaskDetails } from '@waybill/client';
import { plural } from '@waybill/client/words';
import type { ClosedMonth } from './month.js';

/** What became of the month, for people. */
export function summary({ payments, bookings, statement, killed }: ClosedMonth, paint: Paint): string {
  const line = (name: string, text: string): string => `  ${paint.dim(name.padEnd(12))}${text}`;
  const again = bookings.filter(({ attempt }) => attempt > 1);
  const { orders, total } = statement.result as { orders: number; total: number };
  return [
    `  ${paint.bold(paint.green('Closed'))}  ${plural(orders, 'order')}, ${(total / 100).toFixed(2)} in the ledger`,
    line('Booked', `one after another: ${serversOf(bookings)}`),
    line(
      'Taken over',
      `from ${killed}: ${again.map(({ reference, worker }) => `${reference} by ${worker}`).join(', ')}`,
    ),
    line('Charged', `side by side: ${serversOf(payments)}`),
    line(
      'Decided',
      payments
        .filter(isDecided)
        .map(({ reference, stateName }) => `${reference} ${stateName}`)
        .join(', '),
    ),
    '',
  ].join('\n');
}

const isDecided = ({ attempt, state }: TaskDetails): boolean => attempt > 1 || state === 'failed';

function serversOf(tasks: readonly TaskDetails[]): string {
  const counts = new Map<string, number>();
  for (const { worker } of tasks) if (worker) counts.set(worker, (counts.get(worker) ?? 0) + 1);
  return [...counts]
    .sort()
    .map(([server, count]) => `${count} by ${server}`)
    .join(', ');
}
