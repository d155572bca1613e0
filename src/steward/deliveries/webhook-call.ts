import { type IncomingMessage, request as http } from 'node:http';
import { request as https } from 'node:https';
import type { AllowedTargets } from './allowed-target.js';
import { FailedDelivery, RefusedDelivery } from './refused-delivery.js';

const ANSWER_MS = 10_000;
const ANSWER_BYTES = 65_536;

export interface WebhookCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Posts the body and resolves with the status of the answer. Follows no redirect. Of the answer, only the status is
 * kept: it may come from a server whose answers are not for whoever ordered the delivery.
 */
export function post(
  { url, headers, body }: WebhookCall,
  targets: AllowedTargets,
  stop: AbortSignal,
  answerMs = ANSWER_MS,
): Promise<number> {
  targets.check(url);
  const tooLate = AbortSignal.timeout(answerMs);
  const request = url.protocol === 'https:' ? https : http;
  return new Promise<number>((done, fail) => {
    // Without an agent, no connection is used twice, so every one is looked up and checked.
    const options = { method: 'POST', agent: false, lookup: targets.lookup, signal: AbortSignal.any([stop, tooLate]) };
    const sent = request(url, { ...options, headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    const failed = (error: Error): void => fail(tooLate.aborted ? late(url, answerMs) : troubleWith(url, error));
    sent.on('response', (answer) => {
      drained(answer).then(() => done(answer.statusCode!), failed);
    });
    sent.on('error', failed);
    sent.end(body);
  });
}

/** Reads the answer to its end, for servers that take a closed connection for a failure. */
async function drained(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) break;
  }
}

const troubleWith = ({ host }: URL, error: Error): Error =>
  error instanceof RefusedDelivery
    ? error
    : new FailedDelivery(`Expected '${host}' to take the delivery, but: ${error.message}`);

const late = ({ host }: URL, ms: number): FailedDelivery =>
  new FailedDelivery(`Expected '${host}' to answer within ${ms} ms, but it did not`);
