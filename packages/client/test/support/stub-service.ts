import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: any;
  /** Resolves when the client has left. */
  readonly gone: Promise<void>;
}

/** The stub's reaction to a request: it answers, cuts the connection, never answers, or lets a script write. */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | 'cut'
  | 'silence'
  | ((request: Received, response: ServerResponse) => Reply | void | Promise<Reply> | Promise<void>);

/** A service on the loopback interface that answers as the test scripts it, and records the requests. */
export class StubService {
  readonly requests: Received[] = [];
  private readonly scripts = new Map<string, Reply[]>();
  private readonly waiters: { readonly route: string; readonly count: number; resolve(request: Received): void }[] = [];
  private readonly unscripted: string[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async start(): Promise<StubService> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StubService(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Scripts the replies to a route such as `POST /v1/tasks/batch`, one after the other. The last one is repeated. */
  on(route: string, ...replies: Reply[]): this {
    this.scripts.set(route, replies);
    return this;
  }

  of(route: string): Received[] {
    return this.requests.filter((request) => routeOf(request) === route);
  }

  /** The `count`-th request of a route, once it has arrived. */
  received(route: string, count = 1): Promise<Received> {
    const there = this.of(route)[count - 1];
    if (there) return Promise.resolve(there);
    return new Promise((resolve) => this.waiters.push({ route, count, resolve }));
  }

  /** Throws if the client sent a request that the test had not scripted. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    if (this.unscripted.length > 0)
      throw new Error(`Expected no unscripted request, but got ${this.unscripted.join(', ')}`);
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await received(message, response);
    this.requests.push(request);
    const route = routeOf(request);
    this.wake(route);
    const replies = this.scripts.get(route);
    if (!replies) this.unscripted.push(route);
    await write(replies ? (replies.length > 1 ? replies.shift()! : replies[0]!) : { status: 404 }, request, response);
  }

  private wake(route: string): void {
    const requests = this.of(route);
    for (const waiter of this.waiters.filter((each) => each.route === route && each.count === requests.length)) {
      waiter.resolve(requests[waiter.count - 1]!);
    }
  }
}

const routeOf = ({ method, path }: Received): string => `${method} ${path}`;

async function received(message: IncomingMessage, response: ServerResponse): Promise<Received> {
  const gone = new Promise<void>((resolve) => response.once('close', resolve));
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const url = new URL(message.url!, 'http://stub');
  const body = text === '' ? undefined : JSON.parse(text);
  return { method: message.method!, path: url.pathname, query: url.searchParams, headers: message.headers, body, gone };
}

async function write(reply: Reply, request: Received, response: ServerResponse): Promise<void> {
  if (typeof reply === 'function') {
    const next = await reply(request, response);
    return next === undefined ? undefined : write(next, request, response);
  }
  if (reply === 'silence') return;
  if (reply === 'cut') return void response.destroy();
  const { status = 200, headers = {}, body = {} } = reply;
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A refusal in the form of the service. */
export const problem = (status: number, code: string, more: object = {}): { status: number; body: object } => ({
  status,
  body: { type: 'about:blank', title: code, status, detail: `refused: ${code}`, code, ...more },
});
