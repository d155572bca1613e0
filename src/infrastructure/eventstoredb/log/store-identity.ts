import { randomUUID } from 'node:crypto';
import { NO_STREAM } from '../../../application/kernel/event-store.port.js';
import { clientAt } from './clients/client-at.js';
import { eventsOf } from './clients/readings.js';
import type { StoreClient } from './clients/store-client.port.js';
import { Connections } from './connections.js';
import { LogReader } from './log-reader.js';
import { STORE_STREAM, StreamNames } from './stream-names.js';
import { isStranger, verdictOn } from './store-errors.js';

interface StoreName {
  readonly id: string;
  /** The position of the event that named the store. All of Waybill's events come after it. */
  readonly since: bigint;
}

export interface StoreIdentity extends StoreName {
  /** The version that the server names; `unknown` if it names none. */
  readonly version: string;
}

/** The store, and the part of it that holds this log. */
export interface StoreAddress {
  readonly url: string;
  /** Prefix of every stream's name. */
  readonly prefix: string;
  /** The position of the event that named the store. All of Waybill's events come after it. */
  readonly since: bigint;
}

const SILENCE_MS = 10_000;

/** The store is available, but the account lacks a right that Waybill needs. */
export class MissingRight extends Error {
  override readonly name = 'MissingRight';

  constructor(
    /** The missing right, as a verb after "may not". Null if the store does not know the account. */
    readonly right: string | null,
    cause: unknown,
  ) {
    super(right === null ? 'the account is not known' : `the account may not ${right}`, { cause });
  }
}

/**
 * Returns the id of the store, and names the store if no process has done so before. A database stores this id to know
 * from which store its index was built. Rejects with the client's error if the store is unreachable, and with
 * `MissingRight` before anything is stored.
 */
export async function storeIdentity(url: string, prefix: string, silenceMs: number): Promise<StoreIdentity> {
  const client = clientAt(url);
  const stream = prefix + STORE_STREAM;
  try {
    const known = await allowed(`read '${stream}'`, () => nameOf(client, stream, silenceMs));
    await allowed("read '$all'", () => lookAtLog(client, silenceMs));
    const named = await allowed(`append to '${stream}'`, async () => {
      if (!known) return name(client, stream, silenceMs);
      await client.append(stream, 0, []); // stores nothing, but shows whether the account may append
      return known;
    });
    return { ...named, version: (await client.version()) ?? 'unknown' };
  } finally {
    await client.close();
  }
}

async function allowed<T>(right: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (verdictOn(error) !== 'denied') throw error;
    throw new MissingRight(isStranger(error) ? null : right, error);
  }
}

async function lookAtLog(client: StoreClient, silenceMs: number): Promise<void> {
  const reading = client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 });
  for await (const _ of eventsOf(reading, silenceMs)) return;
}

/** Whether the store holds any of our events after the naming. */
export async function holdsEvents({ url, prefix, since }: StoreAddress): Promise<boolean> {
  const connections = new Connections(url);
  try {
    return (await new LogReader(connections, new StreamNames(prefix), SILENCE_MS, since).head()) > 0n;
  } finally {
    await connections.close();
  }
}

async function nameOf(client: StoreClient, stream: string, silenceMs: number): Promise<StoreName | null> {
  const reading = client.readStream(stream, { maxCount: 1 });
  try {
    for await (const { event } of eventsOf(reading, silenceMs)) {
      return { id: (event!.data as { readonly id: string }).id, since: event!.position!.commit };
    }
    return null;
  } catch (error) {
    if (verdictOn(error) === 'absent') return null;
    throw error;
  }
}

async function name(client: StoreClient, stream: string, silenceMs: number): Promise<StoreName> {
  const id = randomUUID();
  const answer = await client.append(stream, NO_STREAM, [{ id: randomUUID(), type: 'StoreNamed', data: { id } }]);
  return answer.kind === 'appended' ? { id, since: answer.position! } : (await nameOf(client, stream, silenceMs))!;
}
