import type { KeptLogLine } from '@waybill/client';
import { harmless, jsonLine } from '@waybill/client/words';
import type { Command } from 'commander';
import type { Open } from '../session.js';
import type { Paint } from '../terminal/paint.js';

/** What the handlers of a task said: `task log`. */
export const addLog = (task: Command, open: Open): void => printsLog(task.command('log <id>').alias('logs'), open);

/** The same under the name that other programs use: `logs`. */
export const addLogs = (program: Command, open: Open): void => printsLog(program.command('logs <id>'), open);

const printsLog = (command: Command, open: Open): void =>
  void command
    .description('print what the handlers of a task said with run.log: its last 1,000 lines, of 14 days at most')
    .option('-f, --follow', 'go on with new lines until the task has ended')
    .action(async (id: string, { follow }: { readonly follow?: true }, ran: Command) => {
      const { waybill, printer } = open(ran);
      let lines = 0;
      for await (const line of waybill.task(id).log({ follow: follow ?? false })) {
        await printer.line(printer.json ? jsonLine(line) : asText(line, printer.paint));
        lines += 1;
      }
      if (lines === 0 && !printer.json) printer.note('Its handlers said nothing, or more than 14 days ago.');
    });

function asText({ at, attempt, level, text, fields }: KeptLogLine, paint: Paint): string {
  const more = Object.keys(fields).length > 0 ? `  ${JSON.stringify(fields)}` : '';
  return `${paint.dim(`${at}  #${attempt}`)}  ${level.padEnd(5)}  ${harmless(text + more)}`;
}
