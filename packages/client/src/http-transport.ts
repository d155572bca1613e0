import { OPERATIONS, type EventView, type OperationId } from '@waybill/contracts';
import { textOf } from './body.js';
import { assertOptions } from './call-options.js';
import { eventsIn } from './event-stream.js';
import { encodeJson } from './json.js';
import { errorOf } from './problems.js';
import { TransportFailure, type Answer, type Input, type Transport, type TransportOptions } from './transport.js';
import { Watch } from './watch.js';

export interface HttpTransportOptions {
  /** The address of the service, such as `http://localhost:8080`. */
  readonly url: string;
  /** For a service that requires one. */
  readonly apiKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Defaults to the platform's `fetch`, which keeps connections alive. */
  readonly fetch?: typeof fetch;
}

/** A stream sends a heartbeat every 15 s. After three missed ones, the connection is dead. */
const SILENCE_MS = 45_000;

/** The service over HTTP, with the platform's `fetch`. */
export class HttpTransport implements Transport {
  private readonly base: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly fetch: typeof fetch;

  constructor(options: HttpTransportOptions) {
    assertOptions('HttpTransport', options);
    this.base = addressIn(options.url);
    // Without the key in the message, which the error of `fetch` would contain.
    if (options.apiKey !== undefined && !/^[\x21-\x7e]*$/.test(options.apiKey))
      throw new TypeError('Expected apiKey to be an API key, but it contains characters that no key has');
    this.headers = { ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }), ...options.headers };
    this.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
  }

  async call(operation: OperationId, input: Input, options: TransportOptions = {}): Promise<Answer> {
    const [url, request] = this.requestFor(operation, input);
    const watch = new Watch(options.signal, options.timeoutMs);
    try {
      const answer = await answerOf(await this.fetch(url, { ...request, signal: watch.signal }), watch.signal);
      watch.leave();
      return answer;
    } catch (error) {
      watch.end();
      throw watch.explain(error, `${request.method} ${url}`);
    }
  }

  async *open(
    operation: OperationId,
    input: Input,
    signal?: AbortSignal,
    onPosition?: (position: string) => void,
  ): AsyncIterable<EventView> {
    const [url, request] = this.requestFor(operation, input);
    const watch = new Watch(signal, SILENCE_MS);
    try {
      const response = await this.fetch(url, { ...request, signal: watch.signal });
      if (!response.ok) throw errorOf(await answerOf(response, watch.signal));
      const type = response.headers.get('content-type') ?? '';
      const start = type.includes('event-stream') ? response.headers.get('x-as-of-position') : null;
      if (start !== null) onPosition?.(start);
      if (response.body) yield* eventsIn(response.body, type, watch, onPosition);
    } catch (error) {
      throw watch.explain(error, `${request.method} ${url}`);
    } finally {
      watch.end();
    }
  }

  private requestFor(operation: OperationId, input: Input): [url: string, request: RequestInit] {
    const { method } = OPERATIONS[operation];
    const hasBody = method === 'POST' || method === 'PUT';
    const headers = {
      accept: 'application/json, application/problem+json, text/event-stream, application/x-ndjson',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...this.headers,
      ...encoded(input.headers),
    };
    // A redirected command could arrive with another method. A redirect is a configuration error to fix, not to follow.
    const request: RequestInit = { method, headers, redirect: 'error' };
    if (hasBody) request.body = encodeJson(input.body ?? {});
    return [this.base + pathOf(operation, input), request];
  }
}

/** Checked before a request, because the error of `fetch` comes after all retries, and would contain a password. */
function addressIn(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new TypeError(`Expected url to be an address such as 'http://localhost:3000', but it is '${url}'`);
  if (address.username || address.password)
    throw new TypeError('Expected url to be an address without a user name and password, but it contains them');
  return address.href.replace(/\/+$/, '');
}

/** A header is bytes: text beyond ASCII, such as the name of an actor, is sent as UTF-8. */
const encoded = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, bytesOf(value)]));

const utf8 = new TextEncoder();

const bytesOf = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : String.fromCharCode(...utf8.encode(text));

function pathOf(operation: OperationId, { path = {}, query = {} }: Input): string {
  const route = OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (!value)
      throw new TypeError(`Expected '${name}' of operation '${operation}' to be non-empty text, but got '${value}'`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    for (const each of [value].flat()) search.append(name, String(each));
  }
  return search.size > 0 ? `${route}?${search.toString()}` : route;
}

async function answerOf(response: Response, signal: AbortSignal): Promise<Answer> {
  let text = '';
  for await (const part of textOf(response.body, signal)) text += part;
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: bodyOf(text, headers['content-type'] ?? '', response.ok) };
}

/** A refusal that is not JSON, despite its content type, keeps its text. A success that is not JSON was cut short. */
function bodyOf(text: string, contentType: string, ok: boolean): unknown {
  if (text === '' || !contentType.includes('json')) return text === '' ? null : text;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!ok) return text;
    throw new TransportFailure('interrupted', `Expected JSON, but the answer is '${text.slice(0, 80)}'`, {
      cause: error,
    });
  }
}
