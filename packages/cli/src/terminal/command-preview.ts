import type { CommandPreview } from '@waybill/client';
import { plural } from '@waybill/client/words';
import type { Printer } from './printer.js';

/** Shows what a command would do. */
export async function tellPreview(printer: Printer, preview: CommandPreview): Promise<void> {
  await printer.show(preview, () => linesOf(preview));
  printer.note('Nothing was changed.');
}

function linesOf({ position, changes, takenAlong, unblocked, triggers = {} }: CommandPreview): readonly string[] {
  if (changes.length === 0) return [`As of position ${position}, it is already done.`];
  return [
    `As of position ${position}:`,
    ...changes.map(
      ({ id, from, to, events }) => `  ${id}  ${moveOf(from, to)}  ${events.map(({ type }) => type).join(', ')}`,
    ),
    ...(takenAlong > 0 ? [`  ${plural(takenAlong, 'other task is', 'other tasks are')} aborted, too`] : []),
    ...(unblocked > 0 ? [`  ${plural(unblocked, 'other task has', 'other tasks have')} nothing left to wait for`] : []),
    ...Object.entries(triggers).map(([trigger, times]) => `  trigger '${trigger}' fires ${plural(times, 'time')}`),
  ];
}

function moveOf(from: string | null, to: string | null): string {
  if (from === null) return to === null ? 'new' : `new, ${to}`;
  return from === to ? `stays ${from}` : `${from} → ${to ?? 'gone'}`;
}
