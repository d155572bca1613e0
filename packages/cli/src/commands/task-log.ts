import type { KeptLogLine } from '@waybill/client';
import { harmless, jsonLine } from '@waybill/client/words';
import type { Command } from 'commander';
import type { Open } from '../session.js';
import type { Paint } from '../terminal/paint.js';

/** What the handlers of a task said. */
export function addLog(task: Command, open: Open): void {
  task
    .command('log <id>')
    .alias('logs')
    .description('print what the handlers of a task said with run.log: its last 1,000 lines, of 14 days at most')
    .option('--follow', 'go on with new lines until the task has ended')
    .action(async (id: string, { follow }: { readonly follow?: true }, command: Command) => {
      const { waybill, printer } = open(command);
      let lines = 0;
      for await (const line of waybill.task(id).log({ follow: follow ?? false })) {
        await printer.line(printer.json ? jsonLine(line) : asText(line, printer.paint));
        lines += 1;
      }
      if (lines === 0 && !printer.json) printer.note('Its handlers said nothing, or more than 14 days ago.');
    });
}

function asText({ at, attempt, level, text, fields }: KeptLogLine, paint: Paint): string {
  const more = Object.keys(fields).length > 0 ? `  ${JSON.stringify(fields)}` : '';
  return `${paint.dim(`${at}  #${attempt}`)}  ${level.padEnd(5)}  ${harmless(text + more)}`;
}
