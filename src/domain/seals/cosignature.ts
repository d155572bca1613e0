/** The first line of what a witness signs, so that it can be taken for nothing else. */
const COSIGNATURE = 'cosignature/v1';

const TIME_BYTES = 8;

/** What a witness signs: the text of a note, and since when it knows of nothing later (c2sp.org/tlog-cosignature). */
export const cosignedText = (text: string, seconds: number): string => `${COSIGNATURE}\ntime ${seconds}\n${text}`;

/** `seconds`: since 1970, whole. */
export function withTime(signature: Uint8Array, seconds: number): Uint8Array {
  const bytes = new Uint8Array(TIME_BYTES + signature.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  bytes.set(signature, TIME_BYTES);
  return bytes;
}

/** Null if there is no time that can be told, or no signature after it. */
export function timeAndSignature(
  bytes: Uint8Array,
): { readonly seconds: number; readonly signature: Uint8Array } | null {
  if (bytes.length <= TIME_BYTES) return null;
  const seconds = Number(new DataView(bytes.slice().buffer).getBigUint64(0));
  return Number.isSafeInteger(seconds) ? { seconds, signature: bytes.slice(TIME_BYTES) } : null;
}
