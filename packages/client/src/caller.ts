import { OPERATIONS, type Answers, type OperationId } from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import { assertOptions } from './call-options.js';
import { assertTime, pause, type Clock } from './clock.js';
import type { KeyNotices } from './key-notices.js';
import type { OwnPosition } from './own-position.js';
import { errorOf, WaybillUnavailable } from './problems.js';
import { assertRules, backoffMs, isNotDone, isTransient, type RetryRules } from './retry.js';
import type { Telemetry } from './telemetry.js';
import type { Answer, Input, Transport } from './transport.js';

/** How much longer than its `waitMs` a long poll may take before it times out. */
export const POLL_MARGIN_MS = 10_000;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The time-out of one attempt. */
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetryRules>;
  /** Links the request to the caller's own logs; the service records it with the events. */
  readonly requestId?: string;
}

export interface CommandOptions extends CallOptions {
  /** The service carries out the command only once per key; generated for each call if absent. */
  readonly idempotencyKey?: string;
}

/** For every command that people give. */
export interface ReasonOptions extends CommandOptions {
  /** The reason, for the history. */
  readonly reason?: string;
}

export interface ReadOptions extends CallOptions {
  /** Answer from a state at least as new as this position, which a command returned. */
  readonly minPosition?: string;
}

export interface CallerConfig {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly actor: string;
  /** Null if the actor acts itself. */
  readonly agent: string | null;
  /** The caller's trace at the time of a request. */
  readonly traceparent: () => string | undefined;
  readonly telemetry: Telemetry;
  readonly timeoutMs: number;
  readonly retry: RetryRules;
  readonly keyNotices: KeyNotices;
  /** Shared by all actors of a client. Null if its reads need not reflect its own commands. */
  readonly ownPosition: OwnPosition | null;
}

/** Calls operations: sends the actor, retries, and turns refusals into errors. */
export class Caller {
  constructor(readonly config: CallerConfig) {
    assertTimes(config);
    assertPrintable('actor', config.actor);
    assertPrintable('agent', config.agent ?? undefined);
  }

  /** The same connection for another actor. */
  as(actor: string): Caller {
    return new Caller({ ...this.config, actor });
  }

  /**
   * The body of the answer. Throws `WaybillError` if the service refuses, `WaybillUnavailable` if it gives no usable
   * answer within the retry rules, and the signal's reason if aborted.
   */
  async call<O extends OperationId>(operation: O, input?: Input, options?: CommandOptions): Promise<Answers[O]> {
    return (await this.answer(operation, input, options)).body as Answers[O];
  }

  /** As `call`, and whether it is the answer to an earlier request with the same idempotency key. */
  async replayable<O extends OperationId>(
    operation: O,
    input: Input,
    options: CommandOptions,
  ): Promise<Answers[O] & { readonly replayed: boolean }> {
    const { headers, body } = await this.answer(operation, input, options);
    return { ...(body as Answers[O]), replayed: headers['idempotent-replayed'] === 'true' };
  }

  private async answer(operation: OperationId, input: Input = {}, options: CommandOptions = {}): Promise<Answer> {
    assertOptions(operation, options);
    assertTimes(options);
    assertPrintable('idempotencyKey', options.idempotencyKey);
    assertPrintable('requestId', options.requestId);
    const rules = { ...this.config.retry, ...options.retry };
    const request = this.request(operation, this.reflecting(operation, input), options);
    const timeoutMs = options.timeoutMs ?? this.config.timeoutMs;
    const deadline = this.config.clock.now() + Math.max(rules.deadlineMs, timeoutMs);
    let notDone = true;
    const onlyReads = OPERATIONS[operation].method === 'GET';
    for (let attempts = 1; ; attempts++) {
      try {
        const left = deadline - this.config.clock.now();
        const once = { signal: options.signal, timeoutMs: Math.min(timeoutMs, left) };
        const answer = await this.once(operation, request, once);
        this.config.keyNotices.look(operation, request, answer.body);
        this.remember(operation, answer.body);
        return answer;
      } catch (error) {
        if (!isTransient(error)) throw error;
        notDone &&= onlyReads || isNotDone(error);
        const wait = backoffMs(rules, attempts, error, this.config.clock);
        if (attempts >= rules.attempts || this.config.clock.now() + wait >= deadline) {
          const requestId = request.headers['x-request-id']!;
          const lost = { operation, input: request, requestId, attempts };
          throw new WaybillUnavailable(lost, notDone ? 'not-done' : 'unknown', error);
        }
        await pause(this.config.clock, wait, options.signal);
      }
    }
  }

  /** `input` with the headers that all attempts share. */
  request<I extends Input>(operation: OperationId, input: I, options: CommandOptions = {}) {
    const key = options.idempotencyKey ?? (OPERATIONS[operation].idempotency === 'key' ? uuidv7() : null);
    const { actor, agent } = this.config;
    const traceparent = this.config.traceparent();
    const headers: Record<string, string> = {
      ...input.headers,
      'waybill-actor': actor,
      ...(agent !== null && { 'waybill-agent': agent }),
      ...(traceparent !== undefined && { traceparent }),
      'x-request-id': options.requestId ?? uuidv7(),
      ...(key && { 'idempotency-key': key }),
    };
    return { ...input, headers };
  }

  /** `input`, and for a query of the present the position that it must reflect. One that the caller gave stands. */
  private reflecting(operation: OperationId, input: Input): Input {
    const own = 'minPosition' in OPERATIONS[operation] ? this.config.ownPosition?.get() : undefined;
    if (own === undefined || input.query?.['asOf'] !== undefined) return input;
    return { ...input, query: { ...input.query, minPosition: input.query?.['minPosition'] ?? own } };
  }

  private remember(operation: OperationId, answer: unknown): void {
    if (OPERATIONS[operation].idempotency === 'none') return;
    const position = (answer as { readonly position?: string | null } | null)?.position;
    if (typeof position === 'string') this.config.ownPosition?.note(position);
  }

  private async once(
    operation: OperationId,
    request: Input,
    options: { signal: AbortSignal | undefined; timeoutMs: number },
  ): Promise<Answer> {
    const answer = await this.config.transport.call(operation, request, options);
    if (answer.status >= 400) throw errorOf(answer);
    return answer;
  }
}

function assertTimes({ timeoutMs, retry }: Pick<CallOptions, 'timeoutMs' | 'retry'>): void {
  assertTime('timeoutMs', timeoutMs);
  if (retry) assertRules(retry);
}

/** The service refuses it too, but the platform's `fetch` would fail before, as if the service could not be reached. */
function assertPrintable(name: string, text: string | undefined): void {
  if (text === undefined || !/\p{C}/u.test(text)) return;
  throw new TypeError(`Expected ${name} to be text without control characters, but it contains some`);
}
