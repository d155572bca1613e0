import { open, readFile } from 'node:fs/promises';
import { onOneLine, plural } from '@waybill/client/words';
import { NotDone } from '../problems.js';
import type { ProvenEvent, SealedExport, Surroundings } from '../session.js';
import type { Printer } from '../terminal/printer.js';
import { isCertificate, type Read, tellCertificate, tellCosigned } from './certificate.js';
import { evidenceWords, isPage, type VerifiedEvidence, verifiedEvidence } from './verify-evidence.js';

/** What is verified, and by which keys. */
interface Given {
  readonly file: string;
  readonly keyFile: string | undefined;
  readonly witnesses: readonly string[];
}

/** Verifies a file with a proof, a page of evidence, an export or a certificate, and says what it proves. */
export async function tellFile(
  surroundings: Surroundings,
  { file, keyFile, witnesses }: Given,
  printer: Printer,
): Promise<void> {
  if (keyFile === undefined)
    throw new NotDone('Expected --key with a file: whose log it is of cannot be told without a key that you kept.', 2);
  const key = (await textOf(keyFile)).trim();
  if (await isExport(file)) return tellExport(surroundings, { file, key, witnesses }, printer);
  const text = await textOf(file);
  if (isCertificate(text)) await tellCertificate(surroundings, { text, key, witnesses }, printer);
  else await tellProof(surroundings, { text, key, witnesses }, printer);
}

/** The beginning of a sealed log, as it is and as gzip compresses it. */
const BEGINNINGS = [Buffer.from([0x1f, 0x8b]), Buffer.from('{"format":"waybill-sealed-log"')];

async function isExport(file: string): Promise<boolean> {
  const opened = await open(file).catch((error: Error) => {
    throw new NotDone(`Expected a file '${file}', but: ${error.message}`, 2);
  });
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(64), 0, 64, 0);
    const begun = buffer.subarray(0, bytesRead);
    return BEGINNINGS.some((beginning) => begun.subarray(0, beginning.length).equals(beginning));
  } finally {
    await opened.close();
  }
}

async function tellExport(
  { verifyExport }: Surroundings,
  { file, key, witnesses }: Omit<Read, 'text'> & { readonly file: string },
  printer: Printer,
): Promise<void> {
  if (!verifyExport) throw new NotDone(NOT_INSTALLED);
  const result = await verifyExport(file, key, witnesses);
  if ('refused' in result) throw new NotDone(result.refused, 2);
  if ('fault' in result) throw new NotDone(result.fault);
  await printer.show(result, () => []);
  const { events, segments, log, size, halves } = result;
  printer.note(
    `Verified ${plural(events, 'event')} in ${plural(segments, 'segment')}, ${halves} with private halves: in the log '${log}' of ${plural(size, 'leaf', 'leaves')}.`,
  );
  printer.note(`Left out: ${leftOutOf(result)}.`);
  tellCosigned(result.cosigned, printer);
}

function leftOutOf({ leftOut, queue, from, to, private: isPrivate }: SealedExport): string {
  const what = [
    queue === null ? [] : [`what is not of the queue '${queue}'`],
    from === null ? [] : [`what came before ${from}`],
    to === null ? [] : [`what came from ${to} on`],
  ].flat();
  const leaves = leftOut === 0 ? [] : [`${plural(leftOut, 'leaf', 'leaves')}: ${what.join(', ')}`];
  const halves = isPrivate ? [] : ['private halves'];
  return [...leaves, ...halves].join('; ') || 'nothing';
}

async function tellProof(
  { verifyProof }: Surroundings,
  { text, key, witnesses }: Read,
  printer: Printer,
): Promise<void> {
  if (!verifyProof) throw new NotDone(NOT_INSTALLED);
  if (isPage(text)) {
    const verify = (proof: string) => verifyProof(proof, key, witnesses);
    return tellEvidence(await verifiedEvidence(text, verify), printer);
  }
  const result = await verifyProof(text, key, witnesses);
  if ('refused' in result) throw new NotDone(result.refused, 2);
  if ('fault' in result) throw new NotDone(result.fault);
  await printer.show(result, () => result.events.map(eventLine));
  const { events, task, log, size, truncated, cosigned } = result;
  printer.note(
    `Verified ${plural(events.length, 'event')} of the task ${task}${truncated ? ', which has more' : ''}: in the log '${log}' of ${plural(size, 'leaf', 'leaves')}. It does not prove that nothing followed.`,
  );
  tellCosigned(cosigned, printer);
}

async function tellEvidence(verified: VerifiedEvidence, printer: Printer): Promise<void> {
  await printer.show(verified, () =>
    verified.tasks.flatMap(({ task, events }) => [
      onOneLine(`task ${task}`),
      ...events.map((event) => `  ${eventLine(event)}`),
    ]),
  );
  for (const { task, truncated } of verified.tasks) if (truncated) printer.note(`The task ${task} has more events.`);
  printer.note(evidenceWords(verified));
  tellCosigned(verified.tasks[0]!.cosigned, printer);
}

const eventLine = ({ position, recordedAt, type, isWhole }: ProvenEvent): string =>
  onOneLine(`${position}  ${recordedAt}  ${type}${isWhole ? '  with its private half' : ''}`);

/** Throws `NotDone` (2) if there is no such file. */
export const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw new NotDone(`Expected a file '${file}', but: ${error.message}`, 2);
  });

export const NOT_INSTALLED =
  "Expected to verify a log or a proof, but only the command line is installed here. 'npx waybill verify' includes what reads it.";
