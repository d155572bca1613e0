import type { ClientWritableStream } from '@grpc/grpc-js';
import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import type * as errors from '@kurrent/kurrentdb-client/dist/utils/CommandError.js';
import type services from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_grpc_pb.js';
import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v2/streams/streams_pb.js';
import { NO_STREAM } from '../../../../../application/kernel/event-store.port.js';
import { verdictOn } from '../../store-errors.js';
import { installed } from '../installed.js';
import type { AppendToStore, TogetherAnswer } from '../store-client.port.js';
import { appendRequest } from './append-request.js';

const load = <T>(name: string): T => installed(`@kurrent/kurrentdb-client/${name}.js`);
const loaded = () => ({
  ...load<typeof services>('generated/kurrentdb/protocols/v2/streams/streams_grpc_pb'),
  ...load<typeof errors>('dist/utils/CommandError'),
});

type Response = streams.AppendSessionResponse;
type Answered = (error: Error | null, response?: Response) => void;

interface Calls {
  makeClientStreamRequest(
    path: string,
    serialize: (request: Buffer) => Buffer,
    deserialize: (bytes: Buffer) => Response,
    ...call: readonly unknown[]
  ): ClientWritableStream<Buffer>;
}

/**
 * The client's internal functions that a call of one's own needs, and its question whether the server has a call, whose answer it keeps
 * for as long as the connection lasts. A test fails if another version changes them.
 */
interface Caller {
  supports(method: { readonly path: string }): Promise<boolean>;
  callArguments(options: object): readonly unknown[];
  execute<T>(kind: unknown, name: string, work: (connection: Calls) => Promise<T>): Promise<T>;
}

interface Conflict {
  readonly streamName: string;
  readonly actualState: bigint | string;
}

/** Appends to several streams at once, which servers take from 25.1 on. Writes the client's requests itself, which costs less. */
export class Sessions {
  private readonly library = loaded();
  private readonly client: Caller;

  constructor(client: KurrentDBClient) {
    this.client = client as unknown as Caller;
  }

  areKnown(): Promise<boolean> {
    return this.client.supports(this.library.StreamsServiceService.appendSession);
  }

  async append(appends: readonly AppendToStore[]): Promise<TogetherAnswer> {
    try {
      const answer = await this.send(appends.map(appendRequest));
      return { kind: 'appended', position: BigInt(answer.getPosition()) };
    } catch (error) {
      if (verdictOn(error) !== 'conflict') throw error;
      const { streamName: stream, actualState } = error as Conflict;
      return { kind: 'conflict', stream, actual: typeof actualState === 'bigint' ? Number(actualState) : NO_STREAM };
    }
  }

  private send(requests: readonly Buffer[]): Promise<Response> {
    const { StreamsServiceClient, StreamsServiceService, convertToCommandError } = this.library;
    const { path, responseDeserialize } = StreamsServiceService.appendSession;
    const work = (connection: Calls) =>
      new Promise<Response>((resolve, reject) => {
        const answered: Answered = (error, response) =>
          error ? reject(convertToCommandError(error) as Error) : resolve(response!);
        const options = this.client.callArguments({ requiresLeader: false });
        const call = connection.makeClientStreamRequest(path, asItIs, responseDeserialize, ...options, answered);
        call.on('error', (error: Error) => reject(convertToCommandError(error) as Error));
        for (const request of requests) call.write(request);
        call.end();
      });
    return this.client.execute(StreamsServiceClient, 'appendSession', work);
  }
}

const asItIs = (request: Buffer): Buffer => request;
