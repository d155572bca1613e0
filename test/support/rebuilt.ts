import { rebuildFromLog, type RebuildMode } from '../../src/maintenance/rebuild-from-log.js';
import { configFor } from './running-service.js';

/** Builds a read model anew from the log of the database. Returns the lines that it tells people. */
export async function rebuilt(databaseUrl: string, name: string, mode: RebuildMode): Promise<readonly string[]> {
  const lines: string[] = [];
  const [log, onProgress] = [() => undefined, () => undefined];
  const config = configFor(databaseUrl);
  await rebuildFromLog({ config, names: [name], mode, log, onProgress, onBuilt: (line) => lines.push(line) });
  return lines;
}
