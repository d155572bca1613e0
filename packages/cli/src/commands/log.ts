import { jsonLine } from '@waybill/client/words';
import type { Command } from 'commander';
import type { Open } from '../session.js';

interface ExportOptions {
  readonly private?: boolean;
}

export function addLogCommands(program: Command, open: Open): void {
  const log = program.command('log').description('take the log along');
  log
    .command('export')
    .description('print the whole log up to now, for a file that waybill check reads')
    .option('--private', 'with the private halves of events: payloads, keys, labels, results and texts of errors')
    .addHelpText('after', MORE)
    .action(async ({ private: isWhole = false }: ExportOptions, command: Command) => {
      const { waybill, printer } = open(command);
      await printer.line(jsonLine({ format: 'waybill-log', version: 1, private: isWhole }));
      let events = 0;
      for await (const event of waybill.events(isWhole ? {} : { half: 'public' })) {
        await printer.line(jsonLine(event));
        events++;
      }
      await printer.line(jsonLine({ end: { events } }));
      printer.note(`Exported ${events} events.`);
    });
}

const MORE = `
Each line is a JSON document: a head, the events in commit order, and an end, without which the file was cut.
Example: waybill log export | gzip > log.gz`;
