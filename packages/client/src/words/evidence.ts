import type { TaskProof } from '@waybill/contracts';
import { jsonLine } from './texts.js';

/** What a page of evidence is made of. The page has it within, so that `waybill verify` can check it. */
export interface Evidence {
  readonly format: 'waybill-evidence';
  /** Of the whole page. */
  readonly version: 2;
  readonly about: { readonly kind: 'task' | 'batch' | 'group'; readonly id: string };
  /** By the clock of whoever made the page. */
  readonly madeAt: string;
  /** What the service said of it: names and values, which no proof bears out. */
  readonly said: readonly (readonly [name: string, value: string])[];
  /** How many tasks it has. `proofs` are of the first of them. */
  readonly tasks: number;
  readonly proofs: readonly TaskProof[];
}

const BEGIN = '<script type="application/json" id="evidence">';
const END = '</script>';

/** As a part of a page. No character in it ends the element. */
export const evidenceElement = (evidence: Evidence): string =>
  `${BEGIN}${jsonLine(evidence).replaceAll('<', '\\u003c')}${END}`;

/** Null if the text is no page of evidence that this version knows. What stands in it is not checked. */
export function evidenceIn(page: string): Evidence | null {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END, begin);
  if (begin < 0 || end < 0) return null;
  try {
    const found = JSON.parse(page.slice(begin + BEGIN.length, end)) as Evidence | null;
    return found?.format === 'waybill-evidence' && found.version === 2 ? found : null;
  } catch {
    return null;
  }
}
