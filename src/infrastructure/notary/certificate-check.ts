import { sameContent } from '../../domain/kernel/json.js';
import { HASH_BYTES } from '../../domain/merkle/hashing.js';
import { isConsistent } from '../../domain/merkle/proofs.js';
import type { Checkpoint } from '../../domain/seals/checkpoint.js';
import type { NoteKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import { parseTlogProof } from '../../domain/seals/tlog-proof.js';
import { type ErasureRecord, erasureRecordOf, type OrderEvent } from '../../projections/seals/erasure-record.js';
import type { ErasureCertificate, ErasureOutcome } from '../../projections/seals/erasure-certificate.js';
import { outcomeIn } from '../../projections/seals/get-erasure-certificate.query.js';
import type { SegmentProof } from '../../projections/seals/log-proofs.port.js';
import { MESSAGE_QUEUES } from '../../application/erasures/erasures.port.js';
import { hashing } from './node-signing.js';
import { checkedProof, checkedTree } from './proof-check.js';
import { bytesIn, checkedSeal, checkedText } from './segment-check.js';

/** What a certificate shows to whoever trusts the key only. */
export interface CheckedCertificate {
  readonly record: Pick<ErasureRecord, 'ordered' | 'approved'>;
  readonly result: ErasureOutcome;
  /** How many of what was erased were deliveries to others, by their queues. */
  readonly told: number;
  /** The seal from before the order; null if the certificate names none. */
  readonly before: Checkpoint | null;
  readonly after: Checkpoint;
}

/** The event that says so, of each kind of what is erased. */
const ERASES: ReadonlyMap<string, string> = new Map([['task TaskErased', 'task']]);

/** Throws SealError where the certificate is not what was sealed, or is not whole. */
export function checkedCertificate(certificate: ErasureCertificate, key: NoteKey): CheckedCertificate {
  const { erasure, order, segments, seals } = certificate;
  if (order.task !== erasure) throw new SealError(`a proof of the erasure ${erasure}`, order.task);
  const { log } = checkedProof(order, key);
  const after = checkedSeal(seals.after, key);
  if (log.size !== after.size) throw new SealError(`a proof in the log of ${after.size} leaves`, String(log.size));
  const before = checkedSpan(certificate, after, key);
  const { record, result } = checkedRecord(certificate);
  const told = checkedErased(certificate, events(segments, key), result);
  return { record, result, told, before, after };
}

/** The seal before the order. */
function checkedSpan({ seals, order }: ErasureCertificate, after: Checkpoint, key: NoteKey): Checkpoint | null {
  if (seals.before === null) return null;
  const before = checkedSeal(seals.before, key);
  const hashes = seals.consistency.map((hash) => bytesIn(hash, HASH_BYTES, 'a hash'));
  if (!isConsistent(before, after, hashes, hashing))
    throw new SealError(`a log of ${after.size} leaves that begins with the ${before.size} of before`, seals.after);
  const { index } = parseTlogProof(order.segments[0]!.proof);
  if (index < before.size) throw new SealError('a seal from before the order', seals.before);
  return before;
}

/** Who ordered and approved it, and what became of it, as the proven events have it. */
function checkedRecord({ order, erasure, ordered, approved, result }: ErasureCertificate) {
  const record = erasureRecordOf(order.segments.flatMap((segment) => orderEvents(segment, erasure)));
  if (!record?.end) throw new SealError(`an erasure that has been carried out under ${erasure}`, 'another task');
  const said = { ordered, approved, result };
  const shown = { ordered: record.ordered, approved: record.approved, result: outcomeIn(record.end.result) };
  if (!sameContent(said, shown))
    throw new SealError(`the erasure as its events have it, ${JSON.stringify(shown)}`, JSON.stringify(said));
  return { record, result: shown.result };
}

interface ErasedEvent {
  readonly kind: string;
  readonly position: string;
  readonly queue: string | undefined;
}

/** Returns how many deliveries to others are among what was erased. */
function checkedErased(
  { erased }: ErasureCertificate,
  events: ReadonlyMap<string, ErasedEvent>,
  result: ErasureOutcome,
) {
  let told = 0;
  for (const { kind, id, position } of erased) {
    const event = events.get(id);
    if (event?.kind !== kind || event.position !== position)
      throw new SealError(
        `an event at position ${position} that the ${kind} ${id} is erased`,
        event?.position ?? 'none',
      );
    if (MESSAGE_QUEUES.includes(event.queue ?? '')) told++;
  }
  const tasks = new Set(erased.map(({ id }) => id)).size;
  if (tasks !== result.erased)
    throw new SealError(`all ${result.erased} tasks that were erased`, `${tasks}: the certificate is a part only`);
  return told;
}

/** By the ids of what they say is erased. */
function events(segments: readonly SegmentProof[], key: NoteKey): ReadonlyMap<string, ErasedEvent> {
  const found = new Map<string, ErasedEvent>();
  for (const segment of segments) {
    checkedTree(segment, key);
    const { category, type, position, shared, events } = checkedText(segment);
    const kind = ERASES.get(`${category} ${type}`);
    if (kind === undefined) throw new SealError(`an erasure at position ${position}`, `${category} ${type}`);
    events.forEach(({ stream, data }, at) => {
      const { queue } = dataOf(shared, data) as { readonly queue?: string };
      found.set(stream, { kind, position: String(position + BigInt(at)), queue });
    });
  }
  return found;
}

/** The events of the order, whole. They were checked before. */
function orderEvents(segment: SegmentProof, order: string): readonly OrderEvent[] {
  const { type, meta, shared, recordedAt, events } = checkedText(segment);
  const { actor, reason } = JSON.parse(meta) as { readonly actor: string; readonly reason?: string };
  return events.flatMap(({ stream, data }, at) => {
    if (stream !== order) return [];
    const half = segment.private.find(({ event }) => event === at)?.half ?? '{}';
    const whole = { ...dataOf(shared, data), ...(JSON.parse(half) as object) };
    return [{ type, data: whole, actor, reason, at: inMilliseconds(recordedAt) }];
  });
}

/** Leaves have six digits of a second, and whoever reads events gets three. */
const inMilliseconds = (time: string): string => `${time.slice(0, '2026-11-28T10:00:00.123'.length)}Z`;

const dataOf = (shared: string, data: string): object => ({
  ...(shared === '-' ? {} : (JSON.parse(shared) as object)),
  ...(JSON.parse(data) as object),
});
