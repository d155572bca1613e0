import type { EventStoreDBClient, StreamingRead } from '@eventstore/db-client';
import type services from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { answerOf, asJson, DEADLINE_MS, expectedState } from '../answers.js';
import { decodingEvents } from '../decoding-events.js';
import { installed } from '../installed.js';
import { leavingLeaderlessNodes } from '../leaving-leaderless-nodes.js';
import { searchOptions } from '../search-options.js';
import { versionOf } from '../server-version.js';
import { type AppendLibrary, SingleAppends } from '../single-appends.js';
import {
  type Following,
  type LogFollowing,
  type LogRead,
  type Reading,
  SEARCH_WINDOW,
  type StoreClient,
} from '../store-client.port.js';
import { withoutClientWriteQueue } from '../without-client-write-queue.js';
import { filtered } from './filtered-reads.js';
import { ignoringLateAnswers } from './ignoring-late-answers.js';

/** `@eventstore/db-client`, the client for `esdb:`. It was the only one up to EventStoreDB 24. */
export function eventStoreClient(url: string): StoreClient {
  const { EventStoreDBClient, streamNameFilter } =
    installed<typeof import('@eventstore/db-client')>('@eventstore/db-client');
  const { StreamsService } = installed<typeof services>('@eventstore/db-client/generated/streams_grpc_pb.js');
  const client = leavingLeaderlessNodes(
    ignoringLateAnswers(
      withoutClientWriteQueue(decodingEvents(EventStoreDBClient.connectionString(url), StreamsService.read)),
    ),
  );
  const library = {
    ...installed<typeof services>('@eventstore/db-client/generated/streams_grpc_pb.js'),
    ...installed<Pick<AppendLibrary, 'convertToCommandError'>>('@eventstore/db-client/dist/utils/CommandError.js'),
    ...installed<Pick<AppendLibrary, 'unpackToCommandError'>>(
      '@eventstore/db-client/dist/streams/appendToStream/unpackError.js',
    ),
  };
  const appends = new SingleAppends(client, library, ({ stream, expected, events }) =>
    client.appendToStream(stream, asJson(events), {
      expectedRevision: expectedState(expected),
      deadline: DEADLINE_MS,
    }),
  );
  return {
    version: () => versionOf(client),
    append: (stream, expected, events) => answerOf(appends.append({ stream, expected, events })),
    sessions: null,
    readStream: (stream, read = {}) => reading(client.readStream(stream, read)),
    readAll: (read) => reading(readAll(client, read)),
    follow: (following: LogFollowing): Following =>
      client.subscribeToAll({
        fromPosition: following.fromPosition,
        filter: streamNameFilter(searchOptions(following)),
      }) as unknown as Following,
    close: () => client.dispose(),
  };
}

function readAll(
  client: EventStoreDBClient,
  { prefixes, window = SEARCH_WINDOW, ...read }: LogRead,
): StreamingRead<unknown> {
  return (prefixes ? filtered(client, prefixes, window) : client).readAll(read);
}

const reading = (read: StreamingRead<unknown>): Reading => read as unknown as Reading;
