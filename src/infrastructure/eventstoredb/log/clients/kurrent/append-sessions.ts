import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { NO_STREAM } from '../../../../../application/kernel/event-store.port.js';
import { verdictOn } from '../../store-errors.js';
import { asJson, expectedState } from '../answers.js';
import type { AppendToStore, TogetherAnswer } from '../store-client.port.js';

const APPEND_SESSION = { path: '/kurrentdb.protocol.v2.streams.StreamsService/AppendSession' };

/** The client's internal question, whose answer it keeps for as long as the connection lasts. */
interface Capable {
  supports(method: { readonly path: string }): Promise<boolean>;
}

/** Servers do from 25.1 on. */
export const knowsSessions = (client: KurrentDBClient): Promise<boolean> =>
  (client as unknown as Capable).supports(APPEND_SESSION);

interface Conflict {
  readonly streamName: string;
  readonly actualState: bigint | string;
}

export async function together(client: KurrentDBClient, appends: readonly AppendToStore[]): Promise<TogetherAnswer> {
  try {
    const { position } = await client.multiStreamAppend(appends.map(requestOf));
    return { kind: 'appended', position };
  } catch (error) {
    if (verdictOn(error) !== 'conflict') throw error;
    const { streamName: stream, actualState } = error as Conflict;
    return { kind: 'conflict', stream, actual: typeof actualState === 'bigint' ? Number(actualState) : NO_STREAM };
  }
}

const requestOf = ({ stream, expected, events }: AppendToStore) => ({
  streamName: stream,
  expectedState: expectedState(expected),
  events: asJson(events).map(({ metadata, ...event }) => ({ ...event, metadata: metadata && propertiesOf(metadata) })),
});

/** A session takes texts as metadata only. */
const propertiesOf = (metadata: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
