import type { EventToStore, ResolvedEvent, StoreEvent } from '../clients/store-client.port.js';
import { encryptedIn, type SaltedHalf } from './half-text.js';

/** An event of ours as it is stored, and the name of its stream. */
export interface OwnEvent {
  readonly resolved: ResolvedEvent;
  readonly stream: string;
}

/** The place of an append: a new stream expects no event. */
export interface AppendPlace {
  readonly stream: string;
  readonly expected: number;
}

/** The key of an event's private half is not there. */
export class LostHalf extends Error {
  override readonly name = 'LostHalf';

  constructor(
    readonly position: bigint,
    stream: string,
    found: string,
  ) {
    super(`Expected the table content_keys to have the key of '${stream}', but it ${found}: restore it from a backup`);
  }
}

type MaybePromise<T> = T | Promise<T>;

/** Of an event's private half: `whole` if it is there, or the event has none; `altered` if it is missing, and what is left of it is not what an erasure leaves. */
export type HalfState = 'whole' | 'missing' | 'altered';

/** In which form the store keeps the private halves of events: everything that is stored and read passes here. */
export interface EventHalves {
  /** The events as they are to be stored. */
  close(place: AppendPlace, events: EventToStore[]): MaybePromise<EventToStore[]>;
  /** The events as they were given to be stored, those that were so the same objects. Of an erased half, only what is left of it is there. Throws `LostHalf`. */
  open(events: readonly OwnEvent[]): MaybePromise<readonly ResolvedEvent[]>;
  /** What each event has a commitment to; null where that is nothing, or cannot be read any more. */
  reveal(events: readonly OwnEvent[]): MaybePromise<readonly (SaltedHalf | null)[]>;
  /** For whoever verifies the log. */
  inspect(events: readonly OwnEvent[]): MaybePromise<readonly HalfState[]>;
}

/** Events are stored as a whole. Throws on one whose private half is encrypted, because without it the event would say something else. */
export const WHOLE_EVENTS: EventHalves = {
  close: (_, events) => events,
  open: (events) => events.map(({ resolved, stream }) => whole(resolved, stream)),
  reveal: (events) => events.map(() => null),
  inspect: (events) => events.map(({ resolved }) => (encryptedIn(resolved.event!.data) === null ? 'whole' : 'missing')),
};

function whole(resolved: ResolvedEvent, stream: string): ResolvedEvent {
  if (!hasEncrypted(resolved.event)) return resolved;
  throw new Error(
    `Expected WAYBILL_SUBJECT_KEY_FILE to name the file of keys with which '${stream}' was stored, but it names none`,
  );
}

/** Whether an event, or one that a transaction committed, has an encrypted half. */
export const hasEncrypted = (event: StoreEvent | undefined): boolean =>
  event !== undefined &&
  (encryptedIn(event.data) !== null ||
    (event.type === 'TransactionCommitted' &&
      committedIn(event.data).some(({ event: { data } }) => encryptedIn(data))));

/** The events of the appends of a transaction, as they are stored in the event that commits it. */
export type CommittedItem = AppendPlace & {
  readonly events: readonly {
    readonly id: string;
    readonly event: { readonly type: string; readonly version: number; readonly data: object };
  }[];
};

export const itemsIn = (data: unknown): readonly CommittedItem[] =>
  (data as { readonly items?: readonly CommittedItem[] } | null)?.items ?? [];

const committedIn = (data: unknown) => itemsIn(data).flatMap(({ events }) => events);
