import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Readable, Writable } from 'node:stream';

/** Serves the assistant that started this process, until it closes the input. */
export async function serveStdio(server: McpServer, stdin: Readable, stdout: Writable): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve).once('close', resolve);
    server.server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  await server.close();
}
