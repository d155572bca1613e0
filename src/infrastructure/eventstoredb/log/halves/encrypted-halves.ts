import { NO_STREAM } from '../../../../application/kernel/event-store.port.js';
import { isRestOf, restBeside } from '../../../../domain/task/erased-half.js';
import type { PostgresPool } from '../../../database/postgres-pool.js';
import { streamKey } from '../../../database/stream-key.js';
import type { EventToStore, ResolvedEvent } from '../clients/store-client.port.js';
import { ContentKeys } from './content-keys.js';
import {
  type AppendPlace,
  type CommittedItem,
  type EventHalves,
  type HalfState,
  hasEncrypted,
  itemsIn,
  LostHalf,
  type OwnEvent,
  WHOLE_EVENTS,
} from './event-halves.js';
import { closed, encryptedIn, type EventData, halvesOf, opened, saltedHalf, type SaltedHalf } from './half-text.js';
import type { MasterKeys } from './master-keys.js';

/** Where the data with a half are stored. */
interface StoredHalf extends Pick<EventData, 'id' | 'data'> {
  readonly stream: string;
  readonly position: bigint;
}

/** Without master keys, halves are not encrypted. */
export const halvesBy = (pool: PostgresPool, masters: MasterKeys | null): EventHalves =>
  masters === null ? WHOLE_EVENTS : new EncryptedHalves(new ContentKeys(pool, masters));

/** Each private half is encrypted with the key of its stream, also within the event that commits a transaction. */
class EncryptedHalves implements EventHalves {
  constructor(private readonly keys: ContentKeys) {}

  close(place: AppendPlace, events: EventToStore[]): Promise<EventToStore[]> {
    return Promise.all(events.map(async (event) => ({ ...event, data: await this.closedData(place, event) })));
  }

  async open(events: readonly OwnEvent[]): Promise<readonly ResolvedEvent[]> {
    if (!events.some(({ resolved }) => hasEncrypted(resolved.event))) return events.map(({ resolved }) => resolved);
    return Promise.all(events.map((event) => this.openedEvent(event)));
  }

  reveal(events: readonly OwnEvent[]): Promise<readonly (SaltedHalf | null)[]> {
    return Promise.all(
      events.map(({ resolved: { event }, stream }) => this.revealed(stream, event!.id, event!.data as object)),
    );
  }

  inspect(events: readonly OwnEvent[]): Promise<readonly HalfState[]> {
    return Promise.all(
      events.map(({ resolved: { event }, stream }) => this.stateOf(stream, event!.id, event!.data as object)),
    );
  }

  private async closedData(place: AppendPlace, { id, type, data, metadata }: EventToStore): Promise<object> {
    if (type === 'TransactionCommitted') return this.itemsWith(data, (one, item) => this.closedHalf(item, one));
    const { version } = metadata as { readonly version: number };
    return this.closedHalf(place, { id, type, version, data });
  }

  private async closedHalf({ stream, expected }: AppendPlace, event: EventData): Promise<object> {
    const halves = halvesOf(event);
    if (halves === null) return event.data;
    const { open, line } = halves;
    const content = await this.keys.ofOrNew({ stream: streamKey(stream).id, isNew: expected === NO_STREAM });
    // What comes after an erasure is gone as what was there before it.
    return content.kind === 'known' ? closed(event.id, open, line, content.key) : open;
  }

  private async openedEvent({ resolved, stream }: OwnEvent): Promise<ResolvedEvent> {
    const { event } = resolved;
    if (!hasEncrypted(event)) return resolved;
    const { id, data } = event as { readonly id: string; readonly data: object };
    const position = event!.position!.commit;
    const whole =
      encryptedIn(data) === null
        ? await this.itemsWith(data, (one, item) => this.openedHalf({ ...one, stream: item.stream, position }))
        : await this.openedHalf({ stream, id, data, position });
    return { ...resolved, event: { ...event!, data: whole } };
  }

  private async openedHalf({ stream, id, data, position }: StoredHalf): Promise<object> {
    const half = encryptedIn(data);
    if (half === null) return data;
    const content = await this.keys.of(streamKey(stream).id);
    if (content?.kind === 'destroyed') return opened(data, restBeside(data, content.rests[id] ?? null) ?? {});
    const salted = content && saltedHalf(id, half, content.key);
    if (salted) return opened(data, JSON.parse(salted.line) as object);
    throw new LostHalf(position, stream, content ? 'has another' : 'has none');
  }

  private async revealed(stream: string, id: string, data: object): Promise<SaltedHalf | null> {
    const half = encryptedIn(data);
    const content = half && (await this.keys.of(streamKey(stream).id));
    return content?.kind === 'known' ? saltedHalf(id, half!, content.key) : null;
  }

  private async stateOf(stream: string, id: string, data: object): Promise<HalfState> {
    const half = encryptedIn(data);
    if (half === null) return 'whole';
    const content = await this.keys.of(streamKey(stream).id);
    if (content?.kind === 'known') return saltedHalf(id, half, content.key) ? 'whole' : 'missing';
    return isRestOf(data, content?.rests[id] ?? null) ? 'missing' : 'altered';
  }

  /** The data of a committed transaction, with other data in each of its events. */
  private async itemsWith(
    data: object,
    made: (event: EventData, item: CommittedItem) => Promise<object>,
  ): Promise<object> {
    const items = itemsIn(data).map(async (item) => ({
      ...item,
      events: await Promise.all(
        item.events.map(async (one) => ({
          ...one,
          event: { ...one.event, data: await made({ id: one.id, ...one.event }, item) },
        })),
      ),
    }));
    return { ...data, items: await Promise.all(items) };
  }
}
