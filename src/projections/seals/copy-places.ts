import type { CopyPlace } from './erasure-certificate.js';

const DAY_MS = 86_400_000;

/** Where copies of erased contents may be, as far as whoever runs the service says how long they are kept. */
export class CopyPlaces {
  /** `backupDays`: how long backups and archives of the write-ahead log are kept; null if nobody has said. */
  constructor(private readonly backupDays: number | null) {}

  /** After an erasure that ended then. */
  after(end: Date): readonly CopyPlace[] {
    const { backupDays } = this;
    const until = backupDays === null ? null : new Date(end.getTime() + backupDays * DAY_MS).toISOString();
    return [
      {
        where: 'backups',
        until,
        says: 'Backups of the database from before keep the contents until they are deleted.',
      },
      { where: 'wal-archives', until, says: 'So do archives of the write-ahead log.' },
      ...ELSEWHERE.map(([where, says]) => ({ where, until: null, says })),
    ];
  }
}

const ELSEWHERE = [
  [
    'files',
    'Files of the database keep deleted versions of rows, which no query shows, until Postgres writes others there (`vacuum full` does).',
  ],
  ['replicas', 'Replicas of the database keep the contents until they have caught up.'],
  ['exports', 'Exports, proofs and answers that somebody kept: the service does not record who reads.'],
  [
    'receivers',
    'Receivers of mail and webhooks: each erased task of `waybill.mail` or `waybill.deliveries` was one delivery.',
  ],
  ['workers', 'Workers, their logs, and what they made of the tasks elsewhere.'],
] as const;
