import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskProof } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import type { Command } from 'commander';
import type { Open } from '../session.js';

interface Options {
  readonly private?: boolean;
  readonly to?: string;
}

export function addProof(task: Command, open: Open): void {
  task
    .command('proof <id>')
    .description('print a proof that the events of a task are in the sealed log, for waybill verify')
    .option('--private', 'with the private halves of its events: payload, key, labels, result and texts of errors')
    .option('--to <folder>', 'write it to a folder, with files that sha256sum and openssl can check')
    .action(async (id: string, { private: isPrivate, to }: Options, command: Command) => {
      const { waybill, printer } = open(command);
      const proof = await waybill.task(id).proof(isPrivate ? { private: true } : {});
      if (to === undefined) return printer.line(jsonLine({ ...proof }));
      await writeParts(proof, to);
      printer.note(`Wrote the proof of ${proof.segments.length} segments to ${to}.`);
    });
}

/** `proof.json`, and of each segment its text, its leaf and the proof of the leaf, by its number from 1. */
async function writeParts(proof: TaskProof, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'proof.json'), `${jsonLine({ ...proof })}\n`);
  for (const [at, { text, leaf, proof: tlog }] of proof.segments.entries()) {
    await writeFile(join(folder, `${at + 1}.text`), text);
    await writeFile(join(folder, `${at + 1}.leaf`), leaf);
    await writeFile(join(folder, `${at + 1}.proof`), tlog);
  }
}
