import type { BulkOptions, OperationPreview, StartedBulkOperation, TaskSelection, Waybill } from '@waybill/client';
import { plural } from '@waybill/client/words';
import type { Session } from '../session.js';

/** Shows what would become of the tasks. Changes nothing. */
export async function showPreview(
  { waybill, printer }: Session,
  verb: Parameters<Waybill['operate']>[0],
  which: TaskSelection,
  { priority }: Pick<BulkOptions, 'priority'>,
): Promise<void> {
  if (verb === 'runAgain') return showCount({ waybill, printer }, verb, which);
  const started = await waybill.operate(verb, which, { preview: 'decided', priority });
  await showDecided({ printer }, started);
  printer.note(
    `Nothing was changed. With --as-previewed ${started.preview!.position}, tasks that change from now on are left alone.`,
  );
}

/** Shows what was decided. */
export async function showDecided(
  { printer }: Pick<Session, 'printer'>,
  { count, preview }: StartedBulkOperation,
): Promise<void> {
  await printer.show({ count, ...preview }, () => [
    `${matching(count)} ${rest(preview!, count)}`,
    ...linesOf(preview!),
  ]);
}

/** A second run makes new tasks, so nothing becomes of those that match. */
async function showCount(
  { waybill, printer }: Pick<Session, 'waybill' | 'printer'>,
  verb: Parameters<Waybill['operate']>[0],
  which: TaskSelection,
): Promise<void> {
  const { count } = await waybill.operate(verb, which, { preview: true });
  await printer.show({ count }, () => [matching(count)]);
}

const matching = (count: StartedBulkOperation['count']): string => `${plural(count, 'task matches', 'tasks match')}.`;

const rest = ({ decided, position }: OperationPreview, count: number): string =>
  decided < count ? `Of the first ${decided}, as of position ${position}:` : `As of position ${position}:`;

function linesOf({ moves, refused, takenAlong, unblocked, triggers, examples }: OperationPreview): readonly string[] {
  const lines: (readonly [number, string])[] = [
    ...moves.map(({ from, to, count }) => [count, from === to ? `stay ${from}` : `${from} → ${to}`] as const),
    ...Object.entries(refused).map(
      ([code, count]) =>
        [count, `refused, ${code}, such as ${examples.find((one) => one.code === code)?.task ?? 'others'}`] as const,
    ),
    [takenAlong, 'others that wait for them are aborted, too'],
    [unblocked, 'others have nothing left to wait for'],
    ...Object.entries(triggers).map(([trigger, count]) => [count, `times trigger '${trigger}' fires`] as const),
  ];
  return lines.filter(([count]) => count > 0).map(([count, what]) => `${String(count).padStart(7)}  ${what}`);
}
