import type { Command } from 'commander';
import { since } from '../arguments.js';
import type { Open } from '../session.js';
import { linesOfWaits } from '../terminal/waits.js';

export function addWaits(queue: Command, open: Open): void {
  queue
    .command('waits <queue>')
    .description('show where the waiting time in a queue went: which reasons kept its tasks, and for how long')
    .option('--since <time>', 'from when on: a time, or how long ago, such as 24h', since, '24h')
    .option('--until <time>', 'until when', since, 'now')
    .action(async (name: string, options: { since: string; until: string }, command: Command) => {
      const { waybill, printer } = open(command);
      const waits = await waybill.queue(name).waits({ from: options.since, to: options.until });
      await printer.show(waits, () => linesOfWaits(waits));
    });
}
