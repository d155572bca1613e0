import type { EventView, OperationId } from '@waybill/contracts';

/** The input of an operation. Every part is plain data, so that any transport can carry it. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>;
  /** An array becomes a repeated parameter. `undefined` and `null` are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** Names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type QueryValue = string | number | boolean | null | undefined | readonly string[];

/** An answer with any status. A refusal is an answer too. */
export interface Answer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface TransportOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The connection to the service, over HTTP or in process. It tries once; the caller retries. */
export interface Transport {
  /**
   * Sends one request and returns the answer. Throws `TransportFailure` if no answer arrived, and the signal's reason
   * if aborted.
   */
  call(operation: OperationId, input: Input, options?: TransportOptions): Promise<Answer>;

  /**
   * A stream of events until it ends or `signal` aborts. Throws `TransportFailure`, or `WaybillError` for a refusal.
   * `onPosition` gets each position before which no event is missing: that which a followed stream starts after, and
   * those that the service sends while no event passes the filter.
   */
  open(
    operation: OperationId,
    input: Input,
    signal?: AbortSignal,
    onPosition?: (position: string) => void,
  ): AsyncIterable<EventView>;
}

/**
 * No answer arrived. `unreachable`: the request was never sent. `interrupted`, `timeout`: it may have been carried out.
 */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';

  constructor(
    readonly kind: 'unreachable' | 'interrupted' | 'timeout',
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}
