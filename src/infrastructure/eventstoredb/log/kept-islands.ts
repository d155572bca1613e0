import type { ResolvedEvent, StoreEvent } from './clients/store-client.port.js';

/** Most islands are one event, or the few of a life. Reading a longer one is worth a call. */
const MOST_BYTES = 8_192;

/** STORAGE FORMAT: what is kept of an event, so that it need not be read from the store again. */
type StoredText = Omit<StoreEvent, 'revision' | 'created' | 'position'> & {
  readonly revision: string;
  readonly created: string;
  readonly position: string;
};

/** Events as they are kept in Postgres. Null if they are too long, or if one is not JSON. */
export function keptText(events: readonly ResolvedEvent[]): string | null {
  const found = events.flatMap(({ event }) => event ?? []);
  if (!found.every(({ data, metadata = {} }) => isJson(data) && isJson(metadata))) return null;
  const text = JSON.stringify(found.map(keptEvent));
  return Buffer.byteLength(text) <= MOST_BYTES ? text : null;
}

export const keptEvents = (text: string): ResolvedEvent[] => (JSON.parse(text) as readonly StoredText[]).map(resolved);

/** The clients answer what is not JSON as text or bytes. */
const isJson = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

const keptEvent = ({ streamId, id, revision, type, data, metadata, created, position }: StoreEvent): StoredText => ({
  streamId,
  id,
  revision: revision.toString(),
  type,
  data,
  ...(metadata !== undefined && { metadata }),
  created: created.toISOString(),
  position: position!.commit.toString(),
});

function resolved({ revision, created, position, ...event }: StoredText): ResolvedEvent {
  const commit = BigInt(position);
  return {
    event: { ...event, revision: BigInt(revision), created: new Date(created), position: { commit } },
    commitPosition: commit,
  };
}
