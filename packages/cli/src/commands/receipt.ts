import type { DefinitionReceipt, Receipt } from '@waybill/client';
import type { Printer } from '../terminal/printer.js';

/** Prints whether the command changed something or had already been done. */
export function tell(printer: Printer, receipt: Receipt): Promise<void> {
  const { id, position, recorded, indexed = true } = receipt;
  const shown = indexed ? '' : '; queries may not show it yet';
  const happened = (recorded ? `recorded at position ${position}` : 'already done') + shown;
  return printer.show(receipt, (paint) => [`${paint.green('✓')} ${id}  ${paint.dim(happened)}`]);
}

const OUTCOMES: Readonly<Record<DefinitionReceipt['outcome'], string>> = {
  created: 'created',
  kept: 'already exists and stays unchanged',
  replaced: 'replaced',
};

/** Prints what a definition did, and also whether the queue differs from it or cannot be used now. */
export async function tellDefinition(printer: Printer, receipt: DefinitionReceipt): Promise<void> {
  const { id, outcome, policyVersion, differences } = receipt;
  const happened = `${OUTCOMES[outcome]}; policy version ${policyVersion}`;
  await printer.show(receipt, (paint) => [`${paint.green('✓')} ${id}  ${paint.dim(happened)}`]);
  if (differences.length > 0)
    printer.note(`It differs from your definition in: ${differences.join(', ')}. Use --replace to change it.`);
  for (const hindrance of hindrances(receipt)) printer.note(hindrance);
}

function hindrances({ state, pause, intake }: DefinitionReceipt): string[] {
  const because = (reason?: string | null): string => (reason ? `: ${reason}` : '');
  const shut = state === 'active' ? [] : [pause ? `${pause.by} paused it${because(pause.reason)}.` : `It is ${state}.`];
  return intake.open ? shut : [...shut, `${intake.by} closed its intake${because(intake.reason)}.`];
}
