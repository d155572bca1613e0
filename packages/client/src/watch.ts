import { systemClock } from './clock.js';
import { WaybillError } from './problems.js';
import { TransportFailure } from './transport.js';

/** Node's codes for requests that never left this machine. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Watches one request: aborts it when its caller does or when the service is silent for too long, and tells which of
 * the two it was. Not built with `AbortSignal.any`: on Node 20 a long-lived signal keeps every signal that was derived
 * from it.
 */
export class Watch {
  private readonly controller = new AbortController();
  private readonly abort = (): void => this.controller.abort(this.caller?.reason);
  private cancelTimer: () => void = () => undefined;
  private silent = false;

  constructor(
    private readonly caller: AbortSignal | undefined,
    private readonly silenceMs: number | undefined,
  ) {
    if (caller?.aborted) this.abort();
    caller?.addEventListener('abort', this.abort);
    this.listen();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** From now on, silence counts. */
  listen(): void {
    this.heard();
    if (this.silenceMs !== undefined) this.cancelTimer = systemClock.after(this.silenceMs, () => this.giveUp());
  }

  /** Something arrived. Silence does not count until `listen` is called again. */
  heard(): void {
    this.cancelTimer();
  }

  /** Removes the timer and the listener. For an answer that has arrived whole: to abort it makes an error with its stack, for nobody. */
  leave(): void {
    this.heard();
    this.caller?.removeEventListener('abort', this.abort);
  }

  /** Ends a connection that still reads, too. */
  end(): void {
    this.leave();
    this.controller.abort();
  }

  /**
   * The error to throw: the caller's own reason, a refusal unchanged, or anything else as a failure of the transport.
   */
  explain(error: unknown, request: string): unknown {
    if (this.caller?.aborted) return this.caller.reason;
    if (error instanceof WaybillError || error instanceof TransportFailure) return error;
    if (this.silent)
      return new TransportFailure('timeout', `${request}: silent for ${this.silenceMs} ms`, { cause: error });
    const kind = NEVER_SENT.has(codeOf(error)) ? 'unreachable' : 'interrupted';
    return new TransportFailure(kind, `${request}: ${codeOf(error) || messageOf(error)}`, { cause: error });
  }

  private giveUp(): void {
    this.silent = true;
    this.controller.abort();
  }
}

/** `fetch` throws a plain TypeError, perhaps of another realm, with the actual error as its cause. */
function codeOf(error: unknown): string {
  const code = (error as { cause?: { code?: unknown } } | null)?.cause?.code;
  return typeof code === 'string' ? code : '';
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
