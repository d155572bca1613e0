import type { Waybill } from '@waybill/client';
import { build } from 'esbuild';
import { createServer, type Server } from 'node:http';

const PAGE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>Reports</title>
  <link rel="icon" href="data:," />
  <div id="page"></div>
  <script type="module" src="/page.js"></script>
</html>
`;

export interface ReportOptions {
  /** With the queue `reports`. */
  readonly waybill: Waybill;
  /** Where browsers reach the service. */
  readonly url: string;
  /** The module of the page. */
  readonly page: string;
}

/**
 * The server of a shop, whose pages follow the reports that they order. It has the API key; a browser gets only a token for its own
 * report. A real one would look first who is signed in.
 */
export async function reportServer({ waybill, url, page }: ReportOptions): Promise<Server> {
  const script = await bundled(page);
  return createServer((request, response) => {
    const asked = `${request.method} ${request.url}`;
    if (asked === 'GET /') return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    if (asked === 'GET /page.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    if (asked !== 'POST /reports') return void response.writeHead(404).end();
    ordered(waybill).then(
      (token) => response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ url, token })),
      (error: Error) => response.writeHead(502).end(error.message),
    );
  });
}

async function ordered(waybill: Waybill): Promise<string> {
  const { id } = await waybill.queue('reports').enqueue({ month: '2026-11' });
  const { token } = await waybill.task(id).followToken({ expiresInMs: 600_000 });
  return token;
}

async function bundled(page: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [page],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]!.text;
}
