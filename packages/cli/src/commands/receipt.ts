import type { Receipt } from '@waybill/client';
import type { Printer } from '../terminal/printer.js';

/** What was done, or that it was so already. */
export function tell(printer: Printer, receipt: Receipt): Promise<void> {
  const { id, position, recorded } = receipt;
  const happened = recorded ? `recorded at position ${position}` : 'was so already';
  return printer.show(receipt, (paint) => [`${paint.green('✓')} ${id}  ${paint.dim(happened)}`]);
}
