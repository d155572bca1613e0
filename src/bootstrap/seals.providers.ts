import type { Provider } from '@nestjs/common';
import { NotaryReport } from '../application/notary/notary-report.port.js';
import { Signal } from '../application/kernel/signal.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import { PostgresPool } from '../infrastructure/database/postgres-pool.js';
import { LogLeaves } from '../infrastructure/notary/log-leaves.port.js';
import { LogTree } from '../infrastructure/notary/log-tree.js';
import { StoredParts } from '../infrastructure/notary/stored-parts.js';
import { StoredProofs } from '../infrastructure/notary/stored-proofs.js';
import { PostgresNotaryReport } from '../infrastructure/notary/postgres-notary-report.js';
import { LogParts } from '../projections/seals/log-parts.port.js';
import { CopyPlaces } from '../projections/seals/copy-places.js';
import { LogProofs } from '../projections/seals/log-proofs.port.js';
import { SealChanges } from '../projections/seals/seal-changes.port.js';
import { LeafTexts } from '../projections/seals/leaf-texts.port.js';

export interface SealOptions {
  /** Whether the segments' texts have private halves: where events are stored as a whole. */
  readonly isWhole: boolean;
  /** How long backups are kept; null if nobody has said. */
  readonly backupDays: number | null;
}

/** What shows and proves the seals of the log. */
export const sealProviders = ({ isWhole, backupDays }: SealOptions): readonly Provider[] => [
  { provide: LeafTexts, useExisting: LogLeaves },
  {
    provide: LogProofs,
    inject: [LogLeaves, PostgresPool],
    useFactory: (leaves: LogLeaves, pool: PostgresPool) => new StoredProofs(leaves, new LogTree(pool), isWhole),
  },
  {
    provide: LogParts,
    inject: [LogLeaves, PostgresPool],
    useFactory: (leaves: LogLeaves, pool: PostgresPool) => new StoredParts(leaves, new LogTree(pool), isWhole),
  },
  { provide: NotaryReport, useClass: PostgresNotaryReport },
  { provide: SealChanges, inject: [WakeUps], useFactory: sealChanges },
  { provide: CopyPlaces, useValue: new CopyPlaces(backupDays) },
];

/** For as long as the process lives. */
function sealChanges(wakeUps: WakeUps): SealChanges {
  const changed = new Signal();
  wakeUps.onSealsChanged(() => changed.emit());
  return changed;
}
