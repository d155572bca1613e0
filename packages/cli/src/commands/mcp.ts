import type { Rights } from '@waybill/mcp';
import { type Command, Option } from 'commander';
import { port } from '../arguments.js';
import { NotDone } from '../problems.js';
import { callerFor, type Surroundings } from '../session.js';
import { VERSION } from '../version.js';

/** Serves assistants. What they do is recorded with the caller as the actor, and with the assistant's own name as the agent. */
export function addMcpCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('mcp')
    .description('let an assistant look into the service, by the Model Context Protocol')
    .addOption(
      new Option('--allow <rights>', "'operate': the assistant may give commands, as far as the API key allows")
        .choices(['read', 'operate'])
        .default('read'),
    )
    .option('--http <port>', 'listen on this port of this machine, instead of serving the program that starts it', port)
    .addHelpText('after', MORE)
    .action(async ({ allow, http }: McpOptions, command: Command) => {
      const { serverFor, serveStdio, serveHttp } = await loaded();
      const { agent, apiKey, ...who } = callerFor(command, surroundings);
      const server = (key: string | undefined) =>
        serverFor({ ...who, ...(agent !== undefined && { agent }), apiKey: key }, allow, VERSION);
      if (http === undefined) return serveStdio(server(apiKey), surroundings.stdin, surroundings.stdout);
      const service = await serveHttp({ port: http, serverFor: (key) => server(key ?? undefined) });
      surroundings.stderr.write(`Assistants connect to ${service.url}. Ctrl-C ends it.\n`);
      await interrupted();
      await service.close();
    });
}

interface McpOptions {
  readonly allow: Rights;
  readonly http?: number;
}

/** A package of its own, because few need it. */
const loaded = () =>
  import('@waybill/mcp').catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new NotDone("Expected the package '@waybill/mcp', but it is not installed: npm install @waybill/mcp");
  });

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const MORE = `
Without --http it serves one assistant on its input and output, with the API key in WAYBILL_API_KEY. With --http each
assistant sends an API key of its own as a bearer token. The history names you as the actor, and the assistant as the
agent. Without --allow operate it only reads and previews.`;
