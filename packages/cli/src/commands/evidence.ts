import { writeFile } from 'node:fs/promises';
import type { EvidenceSubject } from '@waybill/client';
import type { Command } from 'commander';
import { atMost } from '../arguments.js';
import { NotDone } from '../problems.js';
import type { Open, Session } from '../session.js';

interface Options {
  readonly output?: string;
  readonly private?: boolean;
  readonly tasks?: number;
}

const SUBJECTS = {
  task: 'a task',
  batch: 'the first tasks of a batch',
  group: 'the first tasks of a failure group',
} as const;

export function addEvidenceCommands(program: Command, open: Open): void {
  const evidence = program
    .command('evidence')
    .description('write a page for people with what happened and the proofs of it, for waybill verify');
  for (const [kind, what] of Object.entries(SUBJECTS)) {
    const command = evidence
      .command(`${kind} <id>`)
      .description(`write what happened to ${what}, with proofs, as a page of HTML that opens without a network`)
      .option('-o, --output <file>', 'write it to this file instead of standard output')
      .option('--private', 'with the private halves of its events: payload, key, labels, result and texts of errors');
    if (kind !== 'task') command.option('--tasks <n>', 'at most so many tasks, up to 500', atMost(500), 50);
    command.action(async (id: string, options: Options, given: Command) =>
      write(open(given), { [kind]: id } as unknown as EvidenceSubject, options),
    );
  }
}

async function write(
  { waybill, printer, stdout }: Session,
  subject: EvidenceSubject,
  { output, private: isPrivate, tasks }: Options,
): Promise<void> {
  if (output === undefined && stdout.isTTY)
    throw new NotDone('Expected --output with the name of a file, such as evidence.html.', 2);
  const page = await waybill.evidence(subject, { ...(isPrivate && { private: true }), ...(tasks && { tasks }) });
  if (output === undefined) return printer.line(page.trimEnd());
  await writeFile(output, page);
  printer.note(`Wrote ${output}. Check it with: waybill verify ${output} --key key.pub`);
}
