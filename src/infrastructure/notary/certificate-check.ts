import { ERASED_BY, type ErasedKind, ERASED_KINDS } from '../../domain/erased-by.js';
import { sameContent } from '../../domain/kernel/json.js';
import { HASH_BYTES } from '../../domain/merkle/hashing.js';
import { isConsistent } from '../../domain/merkle/proofs.js';
import { type Checkpoint, parseCheckpoint } from '../../domain/seals/checkpoint.js';
import { parseNote } from '../../domain/seals/note.js';
import type { NoteKey } from '../../domain/seals/note-key.js';
import { SealError } from '../../domain/seals/seal-error.js';
import { parseTlogProof } from '../../domain/seals/tlog-proof.js';
import {
  type ErasureRecord,
  erasureRecordOf,
  NO_BATCHES,
  type OrderEvent,
  outcomeIn,
} from '../../projections/seals/erasure-record.js';
import type { ErasureCertificate, ErasureOutcome } from '../../projections/seals/erasure-certificate.js';
import type { SegmentProof } from '../../projections/seals/log-proofs.port.js';
import { MESSAGE_QUEUES } from '../../application/erasures/erasures.port.js';
import { keysAfter } from './keys-after.js';
import { hashing } from './node-signing.js';
import { checkedProof, checkedTree } from './proof-check.js';
import { bytesIn, checkedSeal, checkedText } from './segment-check.js';

/** What a certificate shows to whoever trusts the key only. */
export interface CheckedCertificate {
  readonly record: Pick<ErasureRecord, 'ordered' | 'approved'>;
  readonly result: ErasureOutcome;
  /** How many of what was erased were deliveries to others, by their queues. */
  readonly told: number;
  readonly earlier: readonly EarlierErasure[];
  readonly before: SealBefore | null;
  readonly after: Checkpoint;
  /** The key that signed `after`: the one that was given, or one that last seals name. */
  readonly key: NoteKey;
}

/** The seal from before the order. `isProven`: not if a key signed it that was retired before the one that was given. */
export interface SealBefore {
  readonly log: string;
  readonly size: number;
  readonly isProven: boolean;
}

/** How many were erased. */
interface Counts {
  readonly tasks: number;
  readonly batches: number;
}

/** Another erasure, which had recorded some of what is certified before, as earlier builds counted. That the order concerned these, too, only the service says. */
export interface EarlierErasure extends Counts {
  readonly erasure: string;
}

/** The kind of what an event erases, by its category and type. */
const ERASES: ReadonlyMap<string, ErasedKind> = new Map(
  ERASED_KINDS.map((kind) => [`${kind} ${ERASED_BY[kind]}`, kind]),
);

/** Throws SealError where the certificate is not what was sealed, or is not whole. */
export function checkedCertificate(certificate: ErasureCertificate, given: NoteKey): CheckedCertificate {
  const { erasure, order, segments, seals } = certificate;
  const keys = keysAfter(given, seals.lastSeals);
  const key = keyOf(seals.after, keys) ?? given;
  if (order.task !== erasure) throw new SealError(`a proof of the erasure ${erasure}`, order.task);
  const { log, events: ofOrder } = checkedProof(order, key);
  const after = checkedSeal(seals.after, key);
  if (log.size !== after.size) throw new SealError(`a proof in the log of ${after.size} leaves`, String(log.size));
  const before = checkedSpan(certificate, after, keys);
  const { record, result, endsAt } = checkedRecord(certificate);
  const found = checkedErased(certificate, erasedIn(segments, key), BigInt(ofOrder[endsAt]!.position));
  const [reported, counts] = [{ tasks: result.erased, batches: result.batches }, countsOf(found)];
  if (!sameContent(counts, reported))
    throw new SealError(
      `all ${inWords(reported)} that were erased`,
      `${inWords(counts)}: the certificate is a part only`,
    );
  const earlier = earlierIn(found, erasure);
  if (result.alreadyErased !== undefined && earlier.length > 0)
    throw new SealError(`what the erasure ${erasure} erased`, `what ${earlier[0]!.erasure} erased`);
  const told = found.filter(({ queue }) => queue !== undefined && MESSAGE_QUEUES.includes(queue)).length;
  return { record, result, told, earlier, before, after, key };
}

/** The key of the log that a seal says it is of. */
const keyOf = (seal: string, keys: readonly NoteKey[]): NoteKey | undefined =>
  keys.find(({ name }) => name === parseCheckpoint(parseNote(seal).text).origin);

/** The seal before the order. */
function checkedSpan(
  { seals, order }: ErasureCertificate,
  after: Checkpoint,
  keys: readonly NoteKey[],
): SealBefore | null {
  if (seals.before === null) return null;
  const key = keyOf(seals.before, keys);
  const before = key ? checkedSeal(seals.before, key) : parseCheckpoint(parseNote(seals.before).text);
  const hashes = seals.consistency.map((hash) => bytesIn(hash, HASH_BYTES, 'a hash'));
  if (!isConsistent(before, after, hashes, hashing))
    throw new SealError(`a log of ${after.size} leaves that begins with the ${before.size} of before`, seals.after);
  const { index } = parseTlogProof(order.segments[0]!.proof);
  if (index < before.size) throw new SealError('a seal from before the order', seals.before);
  return { log: before.origin, size: before.size, isProven: key !== undefined };
}

/** Who ordered and approved it, and what became of it, as the proven events have it. */
function checkedRecord({ order, erasure, ordered, approved, result }: ErasureCertificate) {
  const record = erasureRecordOf(order.segments.flatMap((segment) => orderEvents(segment, erasure)));
  if (!record?.end) throw new SealError(`an erasure that has been carried out under ${erasure}`, 'another task');
  const said = { ordered, approved, result: { ...NO_BATCHES, ...result } };
  const shown = { ordered: record.ordered, approved: record.approved, result: outcomeIn(record.end.result) };
  if (!sameContent(said, shown))
    throw new SealError(`the erasure as its events have it, ${JSON.stringify(shown)}`, JSON.stringify(said));
  return { record, result: shown.result, endsAt: record.end.at };
}

/** That something was erased. */
interface ErasedEvent {
  readonly kind: ErasedKind;
  readonly position: bigint;
  /** Of a task. */
  readonly queue?: string;
  /** The order by which it was. */
  readonly erasure: string;
}

/** The events of what the certificate names, each of which was there when the order ended. */
function checkedErased(
  { erased }: ErasureCertificate,
  events: ReadonlyMap<string, ErasedEvent>,
  end: bigint,
): readonly ErasedEvent[] {
  const found = erased.map(({ kind, id, position }) => {
    const event = events.get(id);
    if (event?.kind !== kind || String(event.position) !== position || event.position > end)
      throw new SealError(
        `an event at position ${position}, before the end of the erasure at ${end}, that the ${kind} ${id} is erased`,
        String(event?.position ?? 'none'),
      );
    return event;
  });
  return [...new Set(found)];
}

const countsOf = (events: readonly ErasedEvent[]): Counts => ({
  tasks: events.filter(({ kind }) => kind === 'task').length,
  batches: events.filter(({ kind }) => kind === 'batch').length,
});

const inWords = ({ tasks, batches }: Counts): string => `${tasks} tasks and ${batches} batches`;

function earlierIn(events: readonly ErasedEvent[], order: string): readonly EarlierErasure[] {
  const others = new Set(events.map(({ erasure }) => erasure).filter((erasure) => erasure !== order));
  return Array.from(others, (other) => ({
    erasure: other,
    ...countsOf(events.filter(({ erasure }) => erasure === other)),
  }));
}

/** By the ids of what they say is erased. */
function erasedIn(segments: readonly SegmentProof[], key: NoteKey): ReadonlyMap<string, ErasedEvent> {
  const found = new Map<string, ErasedEvent>();
  for (const segment of segments) {
    checkedTree(segment, key);
    const { category, type, position, shared, events } = checkedText(segment);
    const kind = ERASES.get(`${category} ${type}`);
    if (kind === undefined) throw new SealError(`an erasure at position ${position}`, `${category} ${type}`);
    events.forEach(({ stream, data }, at) => {
      const { queue, erasure } = dataOf(shared, data) as Pick<ErasedEvent, 'queue' | 'erasure'>;
      found.set(stream, { kind, position: position + BigInt(at), queue, erasure });
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
