import type services from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';
import { answerOf, asJson, DEADLINE_MS, expectedState } from '../answers.js';
import { decodingEvents } from '../decoding-events.js';
import { installed } from '../installed.js';
import { leavingLeaderlessNodes } from '../leaving-leaderless-nodes.js';
import { searchOptions } from '../search-options.js';
import { versionOf } from '../server-version.js';
import { type AppendLibrary, SingleAppends } from '../single-appends.js';
import { type Following, type LogFollowing, type StoreClient } from '../store-client.port.js';
import { withoutClientWriteQueue } from '../without-client-write-queue.js';
import { Sessions } from './append-sessions.js';
import { KurrentReads } from './kurrent-reads.js';

/** `@kurrent/kurrentdb-client`, the client for `kurrentdb:`. It serves all versions, and AppendSession of KurrentDB. */
export function kurrentClient(url: string): StoreClient {
  const { KurrentDBClient, streamNameFilter } =
    installed<typeof import('@kurrent/kurrentdb-client')>('@kurrent/kurrentdb-client');
  const { StreamsService } = installed<typeof services>(
    '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js',
  );
  const client = leavingLeaderlessNodes(
    withoutClientWriteQueue(decodingEvents(KurrentDBClient.connectionString(url), StreamsService.read)),
  );
  const [reads, sessions] = [new KurrentReads(client), new Sessions(client)];
  const library = {
    ...installed<typeof services>('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js'),
    ...installed<Pick<AppendLibrary, 'convertToCommandError'>>('@kurrent/kurrentdb-client/dist/utils/CommandError.js'),
    ...installed<Pick<AppendLibrary, 'unpackToCommandError'>>(
      '@kurrent/kurrentdb-client/dist/streams/appendToStream/unpackError.js',
    ),
  };
  const appends = new SingleAppends(client, library, ({ stream, expected, events }) =>
    client.appendToStream(stream, asJson(events), { streamState: expectedState(expected), deadline: DEADLINE_MS }),
  );
  return {
    version: () => versionOf(client),
    append: (stream, expected, events) => answerOf(appends.append({ stream, expected, events })),
    sessions: {
      areKnown: () => sessions.areKnown(),
      append: (appends) => sessions.append(appends),
      readPlaces: (position, most) => reads.ofPlaces(position, most),
    },
    readStream: (stream, read = {}) => reads.ofStream(stream, read),
    readAll: (read) => reads.ofLog(read),
    follow: (following: LogFollowing): Following =>
      client.subscribeToAll({
        fromPosition: following.fromPosition,
        filter: streamNameFilter(searchOptions(following)),
      }) as unknown as Following,
    close: () => client.dispose(),
  };
}
