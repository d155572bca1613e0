import { harmless, jsonLine, plural } from '@waybill/client/words';
import type { Command } from 'commander';
import { commonOptionsOf } from '../common-options.js';
import type { Finding } from '../doctor/finding.js';
import { serviceFindings } from '../doctor/service-findings.js';
import { NotDone } from '../problems.js';
import { openSession, type Surroundings, urlFor } from '../session.js';
import type { Printer } from '../terminal/printer.js';

/** Looks at the service, and at the settings of this machine with which one would start. */
export function addDoctorCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('doctor')
    .description('check the service and the settings of this machine, and say what to do about what is wrong')
    .addHelpText('after', MORE)
    .action(async (_: object, command: Command) => {
      const { waybill, printer } = openSession(command, surroundings);
      const { env, diagnose } = surroundings;
      const elsewhere = commonOptionsOf(command).url !== undefined;
      const findings = [];
      if (diagnose && !elsewhere)
        for await (const finding of diagnose(env)) findings.push(await tell(finding, printer));
      for await (const finding of serviceFindings(waybill, urlFor(command, env), !elsewhere))
        findings.push(await tell(finding, printer));
      const faults = findings.filter(({ verdict }) => verdict === 'fault').length;
      if (faults > 0) throw new NotDone(`${plural(faults, 'thing does', 'things do')} not work.`);
    });
}

const SIGNS = { ok: '✓', warning: '!', fault: '✗' } as const;
const COLOURS = { ok: 'green', warning: 'yellow', fault: 'red' } as const;
const WIDTH = 13;

async function tell(finding: Finding, printer: Printer): Promise<Finding> {
  const { name, verdict, says, todo } = finding;
  const { paint } = printer;
  const sign = paint[COLOURS[verdict]](SIGNS[verdict]);
  if (printer.json) {
    await printer.line(jsonLine(finding));
    return finding;
  }
  const indent = ' '.repeat(WIDTH + 2);
  const [first = '', ...rest] = printer.wrapped(harmless(says), indent.length);
  const [advice = '', ...more] = todo === undefined ? [] : printer.wrapped(harmless(todo), indent.length + 2);
  const lines = [
    `${sign} ${name.padEnd(WIDTH)}${first}`,
    ...rest.map((line) => indent + line),
    ...(advice === '' ? [] : [`${indent}${paint.dim(`→ ${advice}`)}`]),
    ...more.map((line) => `${indent}  ${paint.dim(line)}`),
  ];
  for (const line of lines) await printer.line(line);
  return finding;
}

const MORE = `
Exit codes: 0 everything works, if perhaps with warnings; 1 something does not. With --url it looks at that service only.
Otherwise it also reads the settings of the environment (DATABASE_URL, WAYBILL_*), and changes nothing.`;
