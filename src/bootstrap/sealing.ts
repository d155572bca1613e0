import type { Provider } from '@nestjs/common';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { Leaders } from '../infrastructure/leadership/leaders.js';
import { LogLeaves } from '../infrastructure/notary/log-leaves.port.js';
import { LogsAfter } from '../infrastructure/notary/logs-after.js';
import { LogTree } from '../infrastructure/notary/log-tree.js';
import { Notary } from '../infrastructure/notary/notary.js';
import { NotaryNotice } from '../infrastructure/notary/notary-notice.js';
import type { WitnessOptions } from '../infrastructure/notary/witness-options.js';
import { Witness } from '../infrastructure/notary/witness.js';
import { Witnesses } from '../infrastructure/notary/witnesses.js';
import { EventLog } from '../projections/kernel/event-log.port.js';

export interface SealingOptions {
  /** Where the notary keeps its key. */
  readonly folder: string;
  readonly witnesses: readonly WitnessOptions[];
}

/** Whoever seals the log: nobody without a folder for the key. */
export class Sealing {
  constructor(readonly by: readonly Notary[]) {}
}

export const notaryOf = (options: SealingOptions | null): Provider => ({
  provide: Sealing,
  inject: [PostgresPool, LogLeaves, Leaders, WakeUps, EventLog],
  useFactory: (pool: PostgresPool, leaves: LogLeaves, leaders: Leaders, wakeUps: WakeUps, log: EventLog) => {
    if (options === null) return new Sealing([]);
    const tree = new LogTree(pool);
    const witnesses = new Witnesses(options.witnesses.map((one) => new Witness(one, tree)));
    const [notice, logs] = [new NotaryNotice(pool), new LogsAfter(log)];
    const parts = { leaves, tree, notice, folder: options.folder, witnesses, logs, wakeUps };
    return new Sealing([new Notary(parts, leaders)]);
  },
});
