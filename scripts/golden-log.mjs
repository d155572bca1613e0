import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { segmentTexts } from '../dist/infrastructure/event-codec/segment-text.js';
import { dataOf } from '../dist/infrastructure/eventstoredb/log/stored-events.js';
import { headsOf } from '../dist/infrastructure/postgres-event-store/stored-segment.js';

// Stores the log of DATABASE_URL as a golden log: node scripts/golden-log.mjs test/golden/NAME
const folder = process.argv[2];
if (!folder || !process.env.DATABASE_URL) {
  console.error('Expected DATABASE_URL, and the folder of the new golden log as argument, but one of them is missing.');
  process.exit(1);
}

const SEGMENTS = `select s.position, s.n, s.category, s.type, s.version,
    to_char(s.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as recorded_at, s.meta, s.shared,
    s.streams::text, s.revisions::text, s.prevs::text, s.ids::text, s.data, s.private, s.salts::text, s.digest::text
  from segments s order by s.position`;

const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
const { rows } = await client.query(SEGMENTS);
const { rows: names } = await client.query('select stream, name from stream_names order by name');
await client.end();

const segments = rows.map((row) => withoutNewNulls({ ...row, position: Number(row.position) }));
await mkdir(folder, { recursive: true });
await write('segments', segments);
await write('stream-names', names);
await write('eventstoredb', segments.flatMap(eventsOf));

/** Rows of builds before the halves are written as they were. */
function withoutNewNulls({ private: hidden, salts, digest, ...row }) {
  const halves = hidden === null ? {} : { private: hidden, salts };
  return { ...row, ...halves, ...(digest !== null && { digest }) };
}

function write(name, lines) {
  return writeFile(join(folder, `${name}.ndjson`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** The same events as EventStoreDB stores them. */
function eventsOf(row) {
  const name = names.find(({ stream }) => row.streams === `{${stream}}`)?.name ?? null;
  const texts = segmentTexts(row.shared, row.data, row.private);
  return headsOf({ ...row, position: String(row.position), name }).map(
    ({ id, recordedAt, envelope, position, stream, revision }, at) => {
      const [{ data, metadata }] = dataOf([
        { id, type: row.type, version: row.version, recordedAt, data: texts[at], envelope },
      ]);
      const stored = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
      return { position: String(position), stream, revision, id, type: row.type, ...stored };
    },
  );
}
