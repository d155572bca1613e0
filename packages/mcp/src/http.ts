import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpOptions {
  /** An address of this machine; `127.0.0.1` if absent. */
  readonly host?: string;
  readonly port: number;
  /** The server of a new session. `apiKey`: what the assistant sent as its bearer token; null if nothing. */
  readonly serverFor: (apiKey: string | null) => McpServer;
}

export interface McpService {
  readonly url: string;
  /** Ends all sessions. */
  close(): Promise<void>;
}

/** Sessions hold memory, and some assistants never end theirs. */
const SESSIONS = 100;
const IDLE_MS = 30 * 60_000;

interface OpenSession {
  readonly transport: StreamableHTTPServerTransport;
  /** Of the key with which it began: nobody goes on with the session of another. */
  readonly owner: string;
  usedAt: number;
}

/** Serves assistants at `/mcp` by Streamable HTTP, each with the rights of the API key that it sends. */
export async function serveHttp({ host = '127.0.0.1', port, serverFor }: HttpOptions): Promise<McpService> {
  const sessions = new Sessions(serverFor);
  const server = createServer((request, response) => {
    sessions.answer(request, response).catch((error: unknown) => failed(response, error));
  });
  await listen(server, host, port);
  const bound = (server.address() as AddressInfo).port;
  sessions.hosts = hostsOf(host, bound);
  const close = async (): Promise<void> => {
    await sessions.close();
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  };
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp`, close };
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve));

/** A page in a browser must not get here by a name that it has made point to this machine. */
const hostsOf = (host: string, port: number): readonly string[] =>
  [host, 'localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`);

class Sessions {
  hosts: readonly string[] = [];
  private readonly open = new Map<string, OpenSession>();

  constructor(private readonly serverFor: HttpOptions['serverFor']) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (new URL(request.url ?? '/', 'http://mcp').pathname !== '/mcp')
      return refuse(response, 404, 'Expected the path /mcp, but got another one');
    if (!this.hosts.includes(request.headers.host ?? ''))
      return refuse(response, 403, `Expected the host ${this.hosts[0]}, but got another one`);
    const id = request.headers['mcp-session-id'];
    const transport = typeof id === 'string' ? this.known(id, ownerOf(request)) : await this.begun(request);
    if (transport === null)
      return refuse(response, 404, 'Expected a session that is open, but there is none: initialize a new one');
    await transport.handleRequest(request, response);
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map(({ transport }) => transport.close()));
  }

  private known(id: string, owner: string): StreamableHTTPServerTransport | null {
    const session = this.open.get(id);
    if (session?.owner !== owner) return null;
    session.usedAt = Date.now();
    return session.transport;
  }

  private async begun(request: IncomingMessage): Promise<StreamableHTTPServerTransport> {
    await this.makeRoom();
    const owner = ownerOf(request);
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.open.set(id, { transport, owner, usedAt: Date.now() }),
    });
    transport.onclose = () => void this.open.delete(transport.sessionId ?? '');
    await this.serverFor(apiKeyOf(request)).connect(transport);
    return transport;
  }

  /** Ends what nobody has used for long, and the least used if there are too many. */
  private async makeRoom(): Promise<void> {
    const eldestFirst = [...this.open.values()].sort((one, other) => one.usedAt - other.usedAt);
    const tooMany = Math.max(0, eldestFirst.length - SESSIONS + 1);
    const over = eldestFirst.filter(({ usedAt }, place) => place < tooMany || usedAt < Date.now() - IDLE_MS);
    await Promise.all(over.map(({ transport }) => transport.close()));
  }
}

function apiKeyOf({ headers }: IncomingMessage): string | null {
  const [, key] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return key ?? null;
}

const ownerOf = (request: IncomingMessage): string =>
  createHash('sha256')
    .update(apiKeyOf(request) ?? '')
    .digest('hex');

/** As the protocol wants its errors: JSON-RPC 2.0. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function failed(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  refuse(response, 500, error instanceof Error ? error.message : String(error));
}
