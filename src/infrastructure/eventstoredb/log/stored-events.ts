import type {
  AppendItem,
  Envelope,
  RecordedEvent,
  ShownEvent,
  TransactionPart,
} from '../../../application/kernel/event-store.port.js';
import { readable } from '../../../application/kernel/unreadable-stream.js';
import { EVENTS } from '../../../domain/events.js';
import type { DomainEvent } from '../../../domain/kernel/decider.js';
import { EventCodec } from '../../event-codec/event-codec.js';
import { encryptedIn } from './halves/half-text.js';
import type { EventToStore, ResolvedEvent, StoreEvent } from './clients/store-client.port.js';
import type { StoredEvent } from './stored-event.js';
import { TRANSACTION_EVENTS } from './transaction.events.js';

const codec = new EventCodec(new Map(Object.entries({ ...EVENTS, ...TRANSACTION_EVENTS })));

/**
 * STORAGE FORMAT: an event's metadata. EventStoreDB's own projections read `$correlationId` and `$causationId`. `more`
 * says that the next event belongs to the same append.
 */
interface Metadata extends Omit<Envelope, 'correlationId' | 'causationId'> {
  readonly $correlationId: string;
  readonly $causationId?: string;
  readonly version: number;
  readonly recordedAt: string;
  readonly more?: true;
  readonly transaction?: TransactionPart;
}

/** Metadata that all events of an append share. */
export interface Stamp {
  readonly recordedAt: string;
  readonly transaction?: TransactionPart;
}

/**
 * Throws if an event could not be read back. The client must not receive a value that JSON cannot represent, because
 * that append would never end.
 */
export function eventsToStore({ events }: AppendItem, stamp: Stamp): EventToStore[] {
  return events.map(({ id, event, envelope }, index) => {
    // For a value that is not JSON, the encoder returns undefined and does not throw.
    if (codec.encode(event) === undefined)
      throw new TypeError(`Expected '${event.type}' to have data, but it has none`);
    const metadata = metadataOf(envelope, event.version, stamp, index < events.length - 1);
    return { id, type: event.type, data: event.data, metadata };
  });
}

/** Turns the stored events of another store into one append of this store. */
export const dataOf = (events: readonly StoredEvent[]): EventToStore[] =>
  events.map(({ id, type, version, recordedAt, data, envelope }, index) => {
    const metadata = metadataOf(envelope, version, { recordedAt }, index < events.length - 1);
    return { id, type, data: JSON.parse(data) as object, metadata };
  });

/** The event as stored, whatever its version. */
export function storedEvent({ event }: ResolvedEvent, stream: string): StoredEvent {
  const { version, recordedAt, envelope } = metadataIn(event!);
  const { id, type, revision, position, data } = event!;
  return {
    position: position!.commit,
    stream,
    revision: Number(revision),
    id,
    type,
    version,
    recordedAt,
    data: JSON.stringify(data),
    envelope,
  };
}

function metadataOf(envelope: Envelope, version: number, stamp: Stamp, more: boolean): Metadata {
  const { correlationId, causationId, ...rest } = envelope;
  return {
    $correlationId: correlationId,
    ...(causationId !== undefined && { $causationId: causationId }),
    ...rest,
    version,
    ...stamp,
    ...(more && { more }),
  };
}

/** Throws `UnreadableStream` on an unknown event, because a decision needs the whole stream. */
export const streamEvent = (resolved: ResolvedEvent, stream: string): RecordedEvent =>
  readable(stream, resolved.event!.position!.commit, () =>
    recorded(resolved.event!, stream, (type, version, data) => codec.upcast(type, version, data)),
  );

/**
 * Passes an unknown event through, because one such event must not stop every reader of the log. A reader that cannot
 * skip it stops by itself. So it does one whose private half is encrypted, which cannot be upcast without it.
 */
export const loggedEvent = (resolved: ResolvedEvent, stream: string): RecordedEvent =>
  recorded(resolved.event!, stream, (type, version, data) =>
    encryptedIn(data) === null ? codec.upcastAny(type, version, data) : { type, version, data },
  );

/** As `loggedEvent`, for the history, which goes on past what is damaged: the client answers it as text or bytes. */
export function shownEvent(resolved: ResolvedEvent, stream: string): ShownEvent {
  const stored = resolved.event!;
  const damaged = [stored.data, stored.metadata ?? {}].find((value) => !isObject(value));
  if (damaged === undefined) return loggedEvent(resolved, stream);
  const { metadata } = stored;
  const rest = { ...stored, data: {}, metadata: isObject(metadata) ? metadata : undefined };
  const unreadable = `Expected JSON, but got '${String(damaged).slice(0, 100)}'`;
  return { ...loggedEvent({ ...resolved, event: rest }, stream), unreadable };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

/** The metadata of an event that another program wrote to one of our streams. */
const UNSIGNED = { correlationId: '', actor: 'unknown', version: 1 };

function recorded(
  stored: StoreEvent,
  stream: string,
  decode: (type: string, version: number, data: object) => DomainEvent,
): RecordedEvent {
  const { version, recordedAt, more, transaction, envelope } = metadataIn(stored);
  return {
    position: stored.position!.commit,
    stream,
    revision: Number(stored.revision),
    id: stored.id,
    recordedAt,
    event: decode(stored.type, version, stored.data as object),
    envelope,
    ...(more && { more }),
    ...(transaction && { transaction }),
  };
}

/** What is no text in metadata. An append session stores it as JSON. */
const NO_TEXTS: ReadonlySet<string> = new Set(['version', 'policyVersion', 'more', 'transaction']);
/** What is no part of an event's envelope: of the event itself, and what the server adds to one that came in a session. */
const OF_EVENT: ReadonlySet<string> = new Set([
  '$correlationId',
  '$causationId',
  '$schema.name',
  '$schema.format',
  'version',
  'recordedAt',
  'more',
  'transaction',
]);

/** Copies one by one what belongs to the envelope, because rests of objects cost twice the time of all the others. */
function metadataIn(stored: StoreEvent): ReadMetadata {
  const metadata: Readonly<Record<string, unknown>> = isObject(stored.metadata)
    ? (stored.metadata as Record<string, unknown>)
    : {};
  const isOfSession = '$schema.name' in metadata;
  const valueOf = (name: string): unknown => {
    const value = metadata[name];
    return isOfSession && typeof value === 'string' && NO_TEXTS.has(name) ? (JSON.parse(value) as unknown) : value;
  };
  const envelope: Record<string, unknown> = { actor: UNSIGNED.actor };
  for (const name in metadata) if (!OF_EVENT.has(name)) envelope[name] = valueOf(name);
  envelope.correlationId = metadata.$correlationId ?? UNSIGNED.correlationId;
  if (metadata.$causationId !== undefined) envelope.causationId = metadata.$causationId;
  return {
    version: (valueOf('version') ?? UNSIGNED.version) as number,
    recordedAt: (metadata.recordedAt ?? stored.created.toISOString()) as string,
    more: valueOf('more') as true | undefined,
    transaction: valueOf('transaction') as TransactionPart | undefined,
    envelope: envelope as unknown as Envelope,
  };
}

interface ReadMetadata {
  readonly version: number;
  readonly recordedAt: string;
  readonly more: true | undefined;
  readonly transaction: TransactionPart | undefined;
  readonly envelope: Envelope;
}
