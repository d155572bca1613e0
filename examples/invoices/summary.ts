import type { Paint } from '@waybill/cli/terminal';
import type { TaskSummary } from '@waybill/client';
import { plural } from '@waybill/client/words';
import { euros } from './invoice.js';
import type { Played } from './play.js';

/** What became of the invoices, for the people of the accounts office. */
export function summary({ items, refused, repaired, jobs, byJob, ledger }: Played, paint: Paint): string {
  const booked = items.filter(({ state }) => state === 'succeeded');
  const failed = items.filter(({ state }) => state === 'failed');
  const retried = booked.filter(({ attempt }) => attempt > 1);
  const total = ledger.reduce((sum, { payable }) => sum + payable, 0);
  const line = (name: string, said: string): string => `  ${paint.dim(name.padEnd(12))}${said}`;
  return [
    `  ${paint.bold(paint.green('Booked'))}  ${plural(booked.length, 'invoice')}, ${euros(total)} EUR in the ledger`,
    line(
      'By a job',
      `${byJob} of them, in ${plural(jobs, 'job')} that a trigger made. Robots took the others by themselves.`,
    ),
    line(
      'Retried',
      `${retried.length} of them: the register was away for a while, or the file was sent again (${repaired}).`,
    ),
    line('Refused', `${plural(refused.length, 'file')} with the reference of another invoice.`),
    '',
    `  ${paint.bold(failed.length > 0 ? paint.red('Not booked') : 'Not booked')}  ${plural(failed.length, 'invoice')}${failed.length > 0 ? '. Ask the senders for others:' : ''}`,
    ...failed.map((item) => `  ${paint.dim((item.reference ?? item.id).padEnd(34))}${firstReason(item)}`),
    '',
  ].join('\n');
}

/** Whether every invoice was booked, except those that are wrong. */
export const isDone = ({ items, made }: Played): boolean => {
  const wrong = made.filter(({ fault }) => fault === 'totals' || fault === 'tax number').length;
  return items.filter(({ state }) => state === 'failed').length === wrong && items.every(isOver);
};

const isOver = ({ state }: TaskSummary): boolean => state === 'succeeded' || state === 'failed';

const firstReason = ({ error }: TaskSummary): string => error?.message.split('; ')[0] ?? '';
