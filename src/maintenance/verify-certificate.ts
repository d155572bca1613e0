import { verifierKey } from '../domain/seals/note-key.js';
import { SealError } from '../domain/seals/seal-error.js';
import { checkedCertificate, type EarlierErasure } from '../infrastructure/notary/certificate-check.js';
import { type Cosigned, cosignedBy } from '../infrastructure/notary/cosigned.js';
import type {
  CopyPlace,
  ErasureCertificate,
  ErasureOutcome,
  Given,
  SealedSpan,
} from '../projections/seals/erasure-certificate.js';
import { givenKeys, Unusable } from './given-keys.js';
import { isSegment } from './proof-shape.js';

/** What `waybill verify FILE` found. `fault`: why it proves nothing. `refused`: why it cannot be looked at. */
export type VerifiedCertificate =
  | { readonly refused: string }
  | { readonly fault: string }
  | {
      readonly erasure: string;
      readonly ordered: Given & { readonly reason: string | null };
      readonly approved: Given | null;
      readonly result: ErasureOutcome;
      /** How many of the erased tasks were mail and webhooks. */
      readonly told: number;
      /** How many of the erased tasks other erasures had recorded before. */
      readonly earlier: readonly EarlierErasure[];
      readonly log: string;
      /** How many leaves were sealed before the order, by a key that was given or that follows from it; null if no such seal shows it. */
      readonly before: number | null;
      /** The log of a seal before the order that only an earlier key than the one given can prove; null if there is none. */
      readonly unproven: string | null;
      readonly after: number;
      /** The key that signed the seal after the end, if a last seal names it and nobody gave it; null otherwise. */
      readonly nextKey: string | null;
      /** The witnesses that were asked for, of the seal after its end. */
      readonly cosigned: readonly Cosigned[];
      /** As the service said, which nothing proves. */
      readonly copies: readonly CopyPlace[];
    };

/**
 * Runs `waybill verify FILE` on a certificate of an erasure. It needs no service, no database and no network. `witnesses`: the keys of those
 * that must have cosigned the seal after its end.
 */
export function verifyCertificate(
  text: string,
  keyText: string,
  witnesses: readonly string[] = [],
): VerifiedCertificate {
  try {
    const keys = givenKeys(keyText, witnesses);
    const certificate = certificateIn(text);
    const { record, result, told, earlier, before, after, key: signer } = checkedCertificate(certificate, keys.key);
    const { ordered, approved } = record;
    const sizes = {
      log: after.origin,
      before: before?.isProven ? before.size : null,
      unproven: before && !before.isProven ? before.log : null,
      after: after.size,
      nextKey: signer === keys.key ? null : verifierKey(signer),
    };
    return {
      erasure: certificate.erasure,
      ordered,
      approved,
      result,
      told,
      earlier,
      ...sizes,
      cosigned: cosignedBy(certificate.seals.after, keys.witnesses),
      copies: certificate.stated.copies,
    };
  } catch (error) {
    if (error instanceof SyntaxError) return { refused: `Expected a certificate as JSON, but: ${error.message}` };
    if (error instanceof Unusable) return { refused: error.message };
    if (error instanceof SealError) return { fault: error.message };
    throw error;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Throws `Unusable` if the text is no certificate of this version. */
function certificateIn(text: string): ErasureCertificate {
  const value = JSON.parse(text) as Members;
  if (value['version'] !== 1)
    throw new Unusable(
      `Expected a certificate of version 1, but it is of version ${String(value['version'])}: use a newer Waybill`,
    );
  if (!isWhole(value))
    throw new Unusable('Expected a certificate with an order, seals and what was erased, but a part of it lacks');
  const { seals, ...certificate } = value as unknown as ErasureCertificate;
  // Certificates of earlier builds have no last seals.
  return { ...certificate, seals: { ...seals, lastSeals: (value['seals'] as Partial<SealedSpan>).lastSeals ?? [] } };
}

const isWhole = ({ erasure, ordered, result, order, seals, erased, segments, stated }: Members): boolean =>
  typeof erasure === 'string' &&
  [ordered, result, order, seals, stated].every(isObject) &&
  typeof (seals as Members)['after'] === 'string' &&
  isTextOrNull((seals as Members)['before']) &&
  isListOf((seals as Members)['consistency'], 'string') &&
  isListOf((seals as Members)['lastSeals'] ?? [], 'string') &&
  isListOf((stated as Members)['copies'], 'object') &&
  isListOf(erased, 'object') &&
  [segments, (order as Members)['segments']].every((all) => Array.isArray(all) && all.every(isSegment)) &&
  ((order as Members)['segments'] as readonly unknown[]).length > 0;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

const isListOf = (value: unknown, type: 'string' | 'object'): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === type && one !== null);
