import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import type * as converted from '@kurrent/kurrentdb-client/dist/utils/convertGrpcEvent.js';
import type * as streaming from '@kurrent/kurrentdb-client/dist/streams/utils/ReadStream.js';
import type shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import type services from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';
import type { CallMaker } from '../client-calls.js';
import { installed } from '../installed.js';
import {
  type Direction,
  type EventPlace,
  type LogRead,
  type Reading,
  SEARCH_WINDOW,
  type StreamRead,
} from '../store-client.port.js';

const load = <T>(name: string): T => installed(`@kurrent/kurrentdb-client/${name}.js`);
const loaded = () => ({
  ...load<typeof converted>('dist/utils/convertGrpcEvent'),
  ...load<typeof streaming>('dist/streams/utils/ReadStream'),
  ...load<typeof shared>('generated/kurrentdb/protocols/v1/shared_pb'),
  ...load<typeof streams>('generated/kurrentdb/protocols/v1/streams_pb'),
  ...load<typeof services>('generated/kurrentdb/protocols/v1/streams_grpc_pb'),
});

type Options = streams.ReadReq.Options;
type Convert = (read: streams.ReadResp.ReadEvent) => unknown;
type Opening = ConstructorParameters<typeof streaming.ReadStream>[0];

/** The client's internal functions that a call of one's own needs. A test fails if another version changes them. */
interface Caller extends CallMaker {
  callArguments: (options: object, call: { readonly deadline: number }) => readonly unknown[];
}

const ALL = Number.MAX_SAFE_INTEGER;

/**
 * Reads as the client's subscriptions read: over its own connection. The client's own reads have another connection, by
 * a module in Rust, that takes no search window, reports each trouble in one word, and cannot be ended while the server
 * is silent.
 */
export class KurrentReads {
  private readonly library = loaded();

  constructor(private readonly client: KurrentDBClient) {}

  ofStream(stream: string, { direction = 'forwards', fromRevision = 0n, maxCount }: StreamRead): Reading {
    const { ReadReq, StreamIdentifier, Empty } = this.library;
    const from = new ReadReq.Options.StreamOptions().setStreamIdentifier(
      new StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64')),
    );
    if (fromRevision === 'end') from.setEnd(new Empty());
    else from.setRevision(fromRevision.toString());
    return this.read(this.options(direction, maxCount).setStream(from).setNoFilter(new Empty()));
  }

  ofLog({ direction, fromPosition, maxCount, prefixes, window = SEARCH_WINDOW }: LogRead): Reading {
    const { ReadReq, Empty } = this.library;
    const from = new ReadReq.Options.AllOptions();
    if (fromPosition === 'start') from.setStart(new Empty());
    else if (fromPosition === 'end') from.setEnd(new Empty());
    else
      from.setPosition(
        new ReadReq.Options.Position()
          .setCommitPosition(fromPosition.commit.toString())
          .setPreparePosition(fromPosition.prepare.toString()),
      );
    const options = this.options(direction, maxCount).setAll(from);
    return this.read(prefixes ? options.setFilter(this.filter(prefixes, window)) : options.setNoFilter(new Empty()));
  }

  /** Backwards from a position. */
  ofPlaces(position: bigint, maxCount: number): Reading {
    const { ReadReq, Empty } = this.library;
    const [text, at] = [position.toString(), new ReadReq.Options.Position()];
    const from = new ReadReq.Options.AllOptions().setPosition(at.setCommitPosition(text).setPreparePosition(text));
    return this.read(this.options('backwards', maxCount).setAll(from).setNoFilter(new Empty()), placeOf);
  }

  private options(direction: Direction, maxCount = ALL): Options {
    const { ReadReq, Empty } = this.library;
    return new ReadReq.Options()
      .setReadDirection(direction === 'forwards' ? 0 : 1)
      .setCount(maxCount.toString())
      .setUuidOption(new ReadReq.Options.UUIDOption().setString(new Empty()));
  }

  private filter(prefixes: readonly string[], window: number): streams.ReadReq.Options.FilterOptions {
    const { FilterOptions } = this.library.ReadReq.Options;
    return new FilterOptions()
      .setStreamIdentifier(new FilterOptions.Expression().setPrefixList([...prefixes]))
      .setMax(window)
      .setCheckpointintervalmultiplier(1);
  }

  private read(options: Options, convert: Convert = this.library.convertGrpcEvent): Reading {
    const { ReadReq, ReadStream, StreamsClient } = this.library;
    const [client, request] = [this.client as unknown as Caller, new ReadReq().setOptions(options)];
    const open = client.GRPCStreamCreator(StreamsClient, 'read', (connection) =>
      (connection as { read(...call: readonly unknown[]): Reading }).read(
        request,
        ...client.callArguments({}, { deadline: Infinity }),
      ),
    );
    return new ReadStream(open as unknown as Opening, convert as typeof converted.convertGrpcEvent, {});
  }
}

/** In place of the whole event, of which nothing else is needed. */
const placeOf = (read: streams.ReadResp.ReadEvent): EventPlace => ({
  id: read.getEvent()!.getId()!.getString(),
  position: BigInt(read.getCommitPosition()),
});
