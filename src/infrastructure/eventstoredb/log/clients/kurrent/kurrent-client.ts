import { answerOf, asJson, DEADLINE_MS, expectedState } from '../answers.js';
import { installed } from '../installed.js';
import { leavingLeaderlessNodes } from '../leaving-leaderless-nodes.js';
import { searchOptions } from '../search-options.js';
import { versionOf } from '../server-version.js';
import { type Following, type LogFollowing, type StoreClient } from '../store-client.port.js';
import { withoutClientWriteQueue } from '../without-client-write-queue.js';
import { knowsSessions, together } from './append-sessions.js';
import { KurrentReads } from './kurrent-reads.js';

/** `@kurrent/kurrentdb-client`, the client for `kurrentdb:`. It serves all versions, and AppendSession of KurrentDB. */
export function kurrentClient(url: string): StoreClient {
  const { KurrentDBClient, streamNameFilter } =
    installed<typeof import('@kurrent/kurrentdb-client')>('@kurrent/kurrentdb-client');
  const client = leavingLeaderlessNodes(withoutClientWriteQueue(KurrentDBClient.connectionString(url)));
  const reads = new KurrentReads(client);
  return {
    version: () => versionOf(client),
    append: (stream, expected, events) => {
      const options = { streamState: expectedState(expected), deadline: DEADLINE_MS };
      return answerOf(client.appendToStream(stream, asJson(events), options));
    },
    sessions: {
      areKnown: () => knowsSessions(client),
      append: (appends) => together(client, appends),
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
