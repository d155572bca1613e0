import type { TaskDetails, Waybill } from '@waybill/client';
import { differingRow } from '@waybill/client/words';
import { rebuildFromLog } from '../../src/maintenance/rebuild-from-log.js';
import { configFor } from './running-service.js';
import { until } from './until.js';

export type RebuildMode = 'diff' | 'switch' | 'back';

export interface Compared {
  readonly position: string;
  readonly rows: number;
  readonly first: readonly Parameters<typeof differingRow>[0][];
}

/** The task of the rebuild that a service has carried out. */
export async function rebuildOf(waybill: Waybill, name: string, mode: RebuildMode): Promise<TaskDetails> {
  const { id } = await waybill.rebuildProjection(name, mode, { reason: 'to see' });
  return until(`the rebuild of '${name}' to end`, async () => {
    const task = await waybill.task(id).get();
    return task.finishedAt === null ? null : task;
  });
}

/** How many rows differ from the log, then the first of them in words; nothing for other modes. */
export async function rebuilt(waybill: Waybill, name: string, mode: RebuildMode): Promise<readonly string[]> {
  const { state, result } = await rebuildOf(waybill, name, mode);
  if (state !== 'succeeded') throw new Error(`Expected the rebuild of '${name}' to succeed, but it is ${state}`);
  const { rows, first = [] } = result as Partial<Compared>;
  return rows === undefined ? [] : [`${rows} rows`, ...first.map(differingRow)];
}

/** Builds a read model anew without a service, and puts it in the place of the one in use. */
export async function replaced(databaseUrl: string, name: string): Promise<void> {
  const nowhere = (): void => undefined;
  const say = { log: nowhere, onProgress: nowhere, onBuilt: nowhere };
  await rebuildFromLog({ config: configFor(databaseUrl), names: [name], ...say });
}
