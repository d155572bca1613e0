import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface LocalServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Listens on loopback only, on any port unless one is given. */
export async function serve(listener: RequestListener, port = 0): Promise<LocalServer> {
  const server = createServer(listener);
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  const stop = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((closed) => void server.close(() => closed()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

export interface FileServer extends LocalServer {
  /** The requests, such as `GET /a.txt`, in order. */
  readonly requests: string[];
  /** What each path has. A path that is not there is missing. */
  readonly files: Map<string, string | Buffer>;
  /** The paths whose HEAD it refuses. */
  readonly headless: Set<string>;
  /** How often a GET of each path fails before it succeeds. */
  readonly failing: Map<string, number>;
  /** The paths that it answers only once the promise has resolved. */
  readonly slow: Map<string, Promise<unknown>>;
}

/** Serves files, with the faults that servers have. */
export async function serveFiles(port = 0): Promise<FileServer> {
  const [requests, files] = [[] as string[], new Map<string, string | Buffer>()];
  const [headless, failing, slow] = [new Set<string>(), new Map<string, number>(), new Map<string, Promise<unknown>>()];
  const answer: RequestListener = ({ method, url = '' }, response) => {
    const file = files.get(url);
    const fails = failing.get(url) ?? 0;
    if (method === 'GET' && fails > 0) failing.set(url, fails - 1);
    if (method === 'HEAD' && headless.has(url)) response.writeHead(405).end();
    else if (file === undefined) response.writeHead(404).end();
    else if (method === 'GET' && fails > 0) response.writeHead(503).end();
    else response.writeHead(200, { 'content-length': Buffer.byteLength(file) }).end(method === 'HEAD' ? '' : file);
  };
  const server = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void (slow.get(request.url!) ?? Promise.resolve()).then(() => answer(request, response));
  }, port);
  return { ...server, requests, files, headless, failing, slow };
}

export interface EzidServer extends LocalServer {
  /** The metadata of each identifier that was made. */
  readonly identifiers: Map<string, string>;
}

/** The part of EZID's interface that makes identifiers of a chosen name. `identifiers`: those that exist already. */
export async function serveEzid(identifiers = new Map<string, string>()): Promise<EzidServer> {
  const server = await serve((request, response) => {
    const name = /^\/id\/(ark:.+)$/.exec(request.url ?? '')?.[1];
    if (request.method !== 'PUT' || name === undefined) return response.writeHead(405).end('error: bad request');
    void text(request).then((metadata) => {
      const exists = identifiers.has(name);
      if (!exists) identifiers.set(name, metadata);
      response
        .writeHead(exists ? 400 : 201)
        .end(exists ? 'error: bad request - identifier already exists' : `success: ${name}`);
    });
  });
  return { ...server, identifiers };
}
