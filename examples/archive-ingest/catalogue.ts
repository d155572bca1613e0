import pg from 'pg';
import { coalesced } from './coalesce.js';
import type { Facts } from './inspect-file.js';
import type { Version } from './read-file.js';

/** One file in the catalogue. */
export interface Entry extends Version, Facts {
  readonly path: string;
}

export type KnownVersion = Version & Pick<Entry, 'sha256'>;

export interface Overview {
  readonly files: number;
  readonly bytes: number;
  /** The number of files whose content entered the catalogue for the first time since `since`. */
  readonly added: number;
  readonly changed: number;
  readonly duplicates: {
    /** The number of contents that several files have. Empty files do not count. */
    readonly groups: number;
    /** The number of redundant files, and the bytes that they take. */
    readonly files: number;
    readonly bytes: number;
  };
}

/** The most files per statement. */
const BATCH = 500;

/** The facts about every file, in a table of the example beside Waybill's tables in the same database. */
export class Catalogue {
  private readonly pool: pg.Pool;

  /** The version of a path in the catalogue; null if the path is unknown. */
  readonly find: (path: string) => Promise<KnownVersion | null>;

  /**
   * Records a file's new version. `fencingToken` is the attempt's fencing token: an entry of a later attempt is kept.
   */
  readonly record: (entry: Entry & { readonly fencingToken: string }) => Promise<void>;

  constructor(url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'archive-ingest' });
    // A connection that breaks while idle is replaced. Without a listener, its error would end the process.
    this.pool.on('error', () => undefined);
    this.find = coalesced((paths) => this.findAll(paths), BATCH);
    this.record = coalesced((entries) => this.recordAll(entries), BATCH);
  }

  /** Creates the table if it is missing. */
  async prepare(): Promise<void> {
    await this.pool.query(TABLE);
  }

  /** The database's time, for `overview`. */
  async now(): Promise<string> {
    // As text, because a `Date` would lose the microseconds, and entries of this millisecond would count as later ones.
    const { rows } = await this.pool.query<{ now: string }>('select now()::text as now');
    return rows[0]!.now;
  }

  /** The contents of a folder according to the catalogue, and what is new since `since`. */
  async overview(folder: string, since: string): Promise<Overview> {
    const { rows } = await this.pool.query<Record<string, string>>(OVERVIEW, [folder.replace(/\/*$/, '/'), since]);
    const count = (name: string): number => Number(rows[0]![name]);
    return {
      files: count('files'),
      bytes: count('bytes'),
      added: count('added'),
      changed: count('changed'),
      duplicates: { groups: count('groups'), files: count('surplus'), bytes: count('surplus_bytes') },
    };
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async findAll(paths: readonly string[]): Promise<(KnownVersion | null)[]> {
    const { rows } = await this.pool.query<KnownVersion & { path: string }>({
      name: 'find',
      text: 'select path, size::float8 as size, modified, sha256 from archive_catalogue where path = any($1)',
      values: [paths],
    });
    const known = new Map(rows.map((row) => [row.path, row]));
    return paths.map((path) => known.get(path) ?? null);
  }

  private async recordAll(entries: readonly (Entry & { readonly fencingToken: string })[]): Promise<void[]> {
    await this.pool.query({ name: 'record', text: RECORD, values: [JSON.stringify(entries)] });
    return entries.map(() => undefined);
  }
}

// The lock is needed even with `if not exists`: two processes that create a table at the same time disturb each other.
const TABLE = `
select pg_advisory_xact_lock(hashtext('archive_catalogue'));
create table if not exists archive_catalogue (
  path text primary key,
  size bigint not null,
  modified text not null,
  sha256 text not null,
  media_type text not null,
  lines int,
  width int,
  height int,
  note text,
  fencing_token bigint not null,
  added_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index if not exists archive_catalogue_sha256 on archive_catalogue (sha256);`;

/**
 * A path may occur twice if a lost attempt still runs beside the one that replaced it. The later attempt wins. A file
 * that was only touched keeps the time of its last change.
 */
const RECORD = `
insert into archive_catalogue as c
  (path, size, modified, sha256, media_type, lines, width, height, note, fencing_token)
select distinct on (path) path, size, modified, sha256, "mediaType", lines, width, height, note, "fencingToken"
from json_to_recordset($1::json) as e (path text, size bigint, modified text, sha256 text, "mediaType" text,
  lines int, width int, height int, note text, "fencingToken" bigint)
order by path, "fencingToken" desc
on conflict (path) do update set
  size = excluded.size, modified = excluded.modified, sha256 = excluded.sha256, media_type = excluded.media_type,
  lines = excluded.lines, width = excluded.width, height = excluded.height, note = excluded.note, fencing_token = excluded.fencing_token,
  changed_at = case when c.sha256 = excluded.sha256 then c.changed_at else now() end
where c.fencing_token < excluded.fencing_token`;

const OVERVIEW = `
with files as (select * from archive_catalogue where starts_with(path, $1)),
contents as (select size, count(*) as copies from files where size > 0 group by sha256, size)
select
  (select count(*) from files) as files,
  (select coalesce(sum(size), 0) from files) as bytes,
  (select count(*) from files where added_at >= $2::timestamptz) as added,
  (select count(*) from files where added_at < $2::timestamptz and changed_at >= $2::timestamptz) as changed,
  count(*) filter (where copies > 1) as groups,
  coalesce(sum(copies - 1), 0) as surplus,
  coalesce(sum((copies - 1) * size), 0) as surplus_bytes
from contents`;
