import { type ClientRequest, type IncomingMessage, request as http } from 'node:http';
import { request as https } from 'node:https';
import type { AllowedTargets } from './allowed-target.js';
import { FailedDelivery, RefusedDelivery } from './refused-delivery.js';
import { within } from './within.js';

const ANSWER_MS = 10_000;
/** Of everything that the receiver sends, from its first byte on. */
const ANSWER_BYTES = 65_536;
/** The answers before the answer (1xx). More of them only keep the process busy. */
const MOST_INTERIM = 4;

export interface WebhookCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts the body to a URL that has been checked, and resolves with the status of the answer, or rejects, within the time, whatever the receiver does.
 * Follows no redirect. Of the answer, only the status is kept: it may come from a server whose answers are not for
 * whoever ordered the delivery.
 */
export function post(
  call: WebhookCall,
  targets: AllowedTargets,
  stop: AbortSignal,
  answerMs = ANSWER_MS,
): Promise<number> {
  const late = (): Error => failed(call.url, `to answer within ${answerMs} ms, but it did not`);
  return within({ ms: answerMs, stop, late }, (over) => {
    const sent = begun(call, targets);
    over.addEventListener('abort', () => sent.destroy(), { once: true });
    return statusOf(sent, call.url);
  });
}

/** Without an agent, no connection is used twice, so every one is looked up and checked. */
function begun({ url, headers, body }: WebhookCall, targets: AllowedTargets): ClientRequest {
  const request = url.protocol === 'https:' ? https : http;
  const all = { ...headers, 'content-length': Buffer.byteLength(body) };
  return request(url, { method: 'POST', agent: false, lookup: targets.lookupFor(url), headers: all }).end(body);
}

/** What comes first settles the call; `close` comes after everything else, and always. */
function statusOf(sent: ClientRequest, url: URL): Promise<number> {
  return new Promise((done, fail) => {
    const failWith = (what: string): void => fail(failed(url, `to take the delivery, but: ${what}`));
    const onError = (error: Error): void => (error instanceof RefusedDelivery ? fail(error) : failWith(error.message));
    let status: number | null = null;
    let interim = 0;
    sent.on('response', (answer: IncomingMessage) => {
      status = answer.statusCode!;
      // Read to its end, for servers that take a closed connection for a failure.
      answer
        .on('end', () => done(status!))
        .on('error', onError)
        .resume();
    });
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy();
      failWith('it switches to another protocol');
    });
    sent.on('information', () => {
      if (++interim > MOST_INTERIM) stopAt('it sends interim answers without end');
    });
    atMost(sent, ANSWER_BYTES, () => (status === null ? stopAt('its answer is too long') : done(status)));
    sent.on('error', onError);
    sent.on('close', () => failWith('it closed the connection'));

    function stopAt(what: string): void {
      failWith(what);
      sent.destroy();
    }
  });
}

/** Counts what arrives in the connection, also what no answer is made of. */
function atMost(sent: ClientRequest, most: number, beyond: () => void): void {
  let bytes = 0;
  sent.on('socket', (socket) =>
    socket.on('data', ({ length }: Buffer) => {
      bytes += length;
      if (bytes > most) beyond();
    }),
  );
}

const failed = ({ host }: URL, what: string): FailedDelivery => new FailedDelivery(`Expected '${host}' ${what}`);
