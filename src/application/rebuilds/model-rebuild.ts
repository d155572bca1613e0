import type { ServiceQueue } from '../queues/service-queues.js';

/** The tasks of this queue build read models anew. One that was interrupted begins anew, so a failed attempt is worth a retry. */
export const REBUILDS: ServiceQueue = {
  name: 'waybill.rebuilds',
  description: 'Read models that are built from the log',
  policy: { onFailure: 'retry', maxLost: 100 },
};

export const REBUILD_MODES = ['diff', 'switch', 'back'] as const;

/**
 * What becomes of a read model that was built anew. `diff`: it is compared with the one in use, and dropped. `switch`: it takes its
 * place, and the rows that were in use are kept for a day. `back`: these are taken again.
 */
export type RebuildMode = (typeof REBUILD_MODES)[number];

/** The payload of such a task, with who ordered it and why. */
export interface ModelRebuild {
  readonly projection: string;
  readonly mode: RebuildMode;
}
