import { join } from 'node:path';
import { DemoError } from '../demo/options.js';
import { keepPort, KeptMap, keptPort } from './kept.js';
import { type FileServer, type LocalServer, serve, serveEzid, serveFiles } from './local-servers.js';

/** What is around a repository: the server with the deposited files, EZID, and the storage. All on this machine. */
export interface Surroundings {
  readonly files: FileServer;
  readonly ezid: LocalServer;
  readonly storage: LocalServer;
  /** The identifiers, with what each is for. */
  readonly identifiers: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

/** What they keep in the folder is there again when they are started again. */
export async function startSurroundings(folder: string): Promise<Surroundings> {
  const files = await filesOn(join(folder, 'port'));
  const identifiers = KeptMap.open(join(folder, 'identifiers.jsonl'));
  const ezid = await serveEzid(identifiers);
  const storage = await serve((request, response) => request.resume().on('end', () => response.writeHead(200).end()));
  const stop = async () => void (await Promise.all([files, ezid, storage].map((server) => server.stop())));
  return { files, ezid, storage, identifiers, stop };
}

/** On the port of the run before, which the manifests of its submissions name. */
async function filesOn(path: string): Promise<FileServer> {
  const port = keptPort(path);
  const files = await serveFiles(port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new DemoError(
      `Expected port ${port} to be free for the file server, but a program listens there: end it, or name another --work.`,
    );
  });
  keepPort(path, files.url);
  return files;
}
