import { parseVerifierKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import { sha256 } from './node-signing.js';

/** Who cosigns seals, and where. */
export interface WitnessOptions {
  /** As verifiers take it: name, id and key. */
  readonly key: string;
  /** Before `/add-checkpoint` (c2sp.org/tlog-witness). */
  readonly url: string;
}

/** Each is asked for every seal. */
const MOST_WITNESSES = 16;

/** What is wrong with them; null if nothing is. */
export function faultInWitnesses(given: unknown): string | null {
  if (!Array.isArray(given)) return 'they are no list';
  if (given.length > MOST_WITNESSES) return `there are ${given.length}, and at most ${MOST_WITNESSES} are allowed`;
  const keys = given.map((one: Partial<WitnessOptions> | null) => one?.key);
  if (new Set(keys).size < keys.length) return 'a key is there twice';
  return given.map(faultIn).find((fault) => fault !== null) ?? null;
}

function faultIn(given: unknown): string | null {
  const { key, url, ...more } = (given ?? {}) as Record<string, unknown>;
  const [other] = Object.keys(more);
  if (other !== undefined) return `'${other}' is neither key nor url`;
  if (typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url)) return `'${String(url)}' is no URL`;
  return faultInKey(String(key));
}

function faultInKey(text: string): string | null {
  try {
    const { kind } = parseVerifierKey(text, sha256);
    return kind === 'witness' ? null : `'${text}' is the key of a log`;
  } catch (error) {
    if (error instanceof SealError) return `'${text}' is no key of a witness`;
    throw error;
  }
}
