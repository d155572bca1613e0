import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { nameInKey } from '../../domain/seals/note-key.js';
import { EventLog } from '../kernel/event-log.port.js';
import { type EndedLog, endedLogs, type LogEnd } from './ended-logs.js';

/** A key of the notary, by the log that it signs. */
export interface LogKeyView {
  readonly name: string;
  /** As verifiers take it. Null where a loss ended the log: the folder of the notary keeps it. */
  readonly key: string | null;
  /** Null while the log is sealed under this name. */
  readonly end: LogEnd | null;
}

/** The keys of this log and of those before it, the first one first. */
export class ListLogKeys extends Query<{ readonly items: readonly LogKeyView[] }> {}

@QueryHandler(ListLogKeys)
export class ListLogKeysHandler implements IQueryHandler<ListLogKeys> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
  ) {}

  async execute(): Promise<{ readonly items: readonly LogKeyView[] }> {
    const [row] = await this.db.query<{ key: string }[]>('select key from notary where key is not null');
    const ended = onceEach(await endedLogs(this.db, this.log));
    const now = row ? [{ name: nameInKey(row.key), key: row.key, end: null }] : [];
    return { items: [...ended, ...now.filter(({ name }) => ended.every((one) => one.name !== name))] };
  }
}

/** A loss ends also a log whose key was retired, before the notary has carried that out. */
const onceEach = (ended: readonly EndedLog[]): readonly EndedLog[] => [
  ...new Map(ended.map((one) => [one.name, one])).values(),
];
