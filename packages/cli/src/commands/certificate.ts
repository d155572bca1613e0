import { onOneLine, plural } from '@waybill/client/words';
import { NotDone } from '../problems.js';
import type { CertifiedErasure, Cosigned, Surroundings } from '../session.js';
import type { Printer } from '../terminal/printer.js';

/** Whether the text is the certificate of an erasure. */
export function isCertificate(text: string): boolean {
  try {
    return (JSON.parse(text) as { readonly format?: unknown } | null)?.format === 'waybill-erasure-certificate';
  } catch {
    return false;
  }
}

/** A file's text, and the texts of the keys that it is verified by. */
export interface Read {
  readonly text: string;
  readonly key: string;
  readonly witnesses: readonly string[];
}

/** Says which of the witnesses that were named cosigned the seal: all, or the file would not be verified. */
export function tellCosigned(cosigned: readonly Cosigned[], printer: Printer): void {
  for (const { witness, at } of cosigned) printer.note(`Cosigned by the witness '${witness}' at ${at}, by its clock.`);
}

/** Verifies a certificate, and says what it proves and what it does not. */
export async function tellCertificate(
  { verifyCertificate }: Surroundings,
  { text, key, witnesses }: Read,
  printer: Printer,
): Promise<void> {
  if (!verifyCertificate)
    throw new NotDone(
      "Expected to verify a certificate, but only the command line is installed here. 'npx waybill verify' includes what reads it.",
    );
  const result = await verifyCertificate(text, key, witnesses);
  if ('refused' in result) throw new NotDone(result.refused, 2);
  if ('fault' in result) throw new NotDone(result.fault);
  await printer.show(result, () => linesOf(result).map(onOneLine));
  const { log, after, nextKey } = result;
  if (nextKey !== null)
    printer.note(`Your key was retired. Its last seal names the key that signed the certificate: ${nextKey}`);
  printer.note(`Verified: in the log '${log}' of ${plural(after, 'leaf', 'leaves')}; ${sinceOf(result)}.`);
  tellCosigned(result.cosigned, printer);
  if (result.earlier.length > 0) printer.note(EARLIER);
  printer.note('It does not prove that no copy is left. The service named where copies may be:');
  for (const { says, until } of result.copies)
    printer.note(`- ${onOneLine(says)}${until === null ? '' : ` Until ${until}.`}`);
}

function sinceOf({ before, unproven }: CertifiedErasure): string {
  if (before !== null) return `it begins with the ${before} that were sealed before the order`;
  if (unproven === null) return 'the certificate names no seal from before the order';
  return `the seal from before the order is of the log '${onOneLine(unproven)}': verify the file once more with the key of that log`;
}

const EARLIER =
  'It does not prove that this erasure concerned what another had erased before. Ask for the certificates of those, too.';

const counted = (tasks: number, batches: number): string =>
  `${plural(tasks, 'task')} and ${plural(batches, 'batch', 'batches')}`;

function linesOf({ erasure, ordered, approved, result, told, earlier }: CertifiedErasure): readonly string[] {
  const { erased, batches, alreadyErased = 0, halves, outbox, refused } = result;
  return [
    `Erasure ${erasure}`,
    `Ordered by ${ordered.by} at ${ordered.at}${ordered.reason === null ? '' : `: ${ordered.reason}`}`,
    ...(approved === null ? [] : [`Approved by ${approved.by} at ${approved.at}`]),
    `${counted(erased, batches)} erased, ${plural(halves, 'event')}, ${plural(outbox, 'refused row')} of the outbox`,
    ...(told === 0 ? [] : [`Of these tasks, ${told} sent mail or webhooks`]),
    ...(alreadyErased === 0
      ? []
      : [`Erased before, which only the certificates of those erasures prove: ${alreadyErased}`]),
    ...earlier.map(
      (one) => `Of these, ${counted(one.tasks, one.batches)} had been erased before, by the erasure ${one.erasure}`,
    ),
    ...Object.entries(refused).map(([code, times]) => `Not erased: ${times}  ${code}`),
  ];
}
