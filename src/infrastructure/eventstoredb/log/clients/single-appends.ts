import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { CallMaker } from './client-calls.js';
import { DEADLINE_MS } from './answers.js';
import type { DeclaredCall } from './decoding-events.js';
import type { AppendToStore } from './store-client.port.js';
import { batchAppend } from './wire/batch-append.js';

/** The client sends more than this in parts. */
const LARGE_BYTES = 3 * 1024 * 1024;

/** The parts of a client's library for appends. Both clients have the same. */
export interface AppendLibrary {
  readonly StreamsClient: unknown;
  readonly StreamsService: { readonly batchAppend: DeclaredCall };
  convertToCommandError(error: Error): Error;
  unpackToCommandError(error: unknown, stream: string): Error;
}

/** The client's internal functions that a call of one's own needs. A test fails if another version changes them. */
interface Caller extends CallMaker {
  supports(method: { readonly path: string }): Promise<boolean>;
  callArguments(options: object, call: { readonly deadline: number }): readonly unknown[];
}

interface Calls {
  makeBidiStreamRequest(
    path: string,
    serialize: (request: Buffer) => Buffer,
    deserialize: (bytes: Buffer) => Answer,
    ...call: readonly unknown[]
  ): Duplex;
}

/** The generated code's `BatchAppendResp`. */
interface Answer {
  getCorrelationId(): { getString(): string } | undefined;
  getError(): unknown;
  getSuccess(): { getPosition(): { getCommitPosition(): string } | undefined } | undefined;
}

interface Stored {
  readonly position?: { readonly commit: bigint };
}

interface Waiting {
  readonly stream: string;
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: Error) => void;
}

type WaitingAppends = Map<string, Waiting>;

/**
 * Appends to single streams, which share one call of a connection. The clients have the same, but write each request twice, by way of
 * objects for all its parts. The appends of a call that fails fail with it, and no others.
 */
export class SingleAppends {
  private readonly client: Caller;
  private readonly calls = new WeakMap<object, Promise<Duplex>>();
  private readonly waiting = new WeakMap<object, WaitingAppends>();

  constructor(
    client: object,
    private readonly library: AppendLibrary,
    /** The client's own way, for what is too large, and for servers without this call. */
    private readonly byClient: (append: AppendToStore) => Promise<Stored>,
  ) {
    this.client = client as Caller;
  }

  async append(append: AppendToStore): Promise<Stored> {
    const [id, deadline] = [randomUUID(), Math.floor((Date.now() + DEADLINE_MS) / 1_000)];
    const request = batchAppend(id, append, deadline);
    const isTaken =
      request.length <= LARGE_BYTES && (await this.client.supports(this.library.StreamsService.batchAppend));
    if (!isTaken) return this.byClient(append);
    const call = await this.call();
    return new Promise((resolve, reject) => {
      this.waiting.get(call)!.set(id, { stream: append.stream, resolve, reject });
      call.write(request);
    });
  }

  private call(): Promise<Duplex> {
    const { client, library, calls } = this;
    const open = (connection: unknown): Duplex => this.open(connection as Calls);
    return client.GRPCStreamCreator(library.StreamsClient, 'appendToStream', open, calls)() as Promise<Duplex>;
  }

  private open(connection: Calls): Duplex {
    const { path, responseDeserialize } = this.library.StreamsService.batchAppend;
    const options = this.client.callArguments({}, { deadline: Infinity });
    const deserialize = responseDeserialize as (bytes: Buffer) => Answer;
    const call = connection.makeBidiStreamRequest(path, (request) => request, deserialize, ...options);
    const waiting: WaitingAppends = new Map();
    this.waiting.set(call, waiting);
    call.on('data', (answer: Answer) => this.settle(waiting, answer));
    call.on('error', (error: Error) => {
      for (const { reject } of waiting.values()) reject(this.library.convertToCommandError(error));
      waiting.clear();
    });
    return call;
  }

  private settle(waiting: WaitingAppends, answer: Answer): void {
    const id = answer.getCorrelationId()?.getString() ?? '';
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    const [error, position] = [answer.getError(), answer.getSuccess()?.getPosition()];
    if (error) one.reject(this.library.unpackToCommandError(error, one.stream));
    else one.resolve(position ? { position: { commit: BigInt(position.getCommitPosition()) } } : {});
  }
}
