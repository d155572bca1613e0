import type { NewDelivery } from '@waybill/client';
import type { Command } from 'commander';
import { jsonObject, typedOrPiped } from '../arguments.js';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';

export function addDeliverCommand(program: Command, open: Open): void {
  program
    .command('deliver <delivery>')
    .description(
      "send mail or call a webhook; the delivery is a JSON object with mail or webhook, or '-' to read it from the standard input",
    )
    .addOption(reasonOption())
    .action(async (typed: string, { reason }: { reason?: string }, command: Command) => {
      const { waybill, printer, stdin } = open(command);
      const delivery = (await typedOrPiped(typed, stdin, jsonObject)) as unknown as NewDelivery;
      const result = await waybill.deliver(delivery, { reason });
      const { id, status } = result;
      const happened = status === 'enqueued' ? `'waybill task show ${id}' says what becomes of it` : 'already ordered';
      await printer.show(result, (paint) => [`${paint.green('✓')} ${id}  ${paint.dim(happened)}`]);
    });
}
