import { parse } from 'csv-parse';
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { InexactNumber, parseExactly } from '../exact-json.js';
import { UsageError } from '../problems.js';

/** A row of a table. Columns that are empty or null are left out. */
export interface Row {
  /** Where the row ends in its file, from 1. */
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** The columns as the file has them, for messages, by their names in lower case. */
  readonly given?: ReadonlyMap<string, string>;
}

/** Something is wrong with one row. */
export class RowProblem extends Error {
  override readonly name = 'RowProblem';

  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** More rows would need more memory than a command line should take: their ids and references are compared. */
const MOST_ROWS = 1_000_000;

const READERS: Readonly<Record<string, (path: string) => AsyncGenerator<Row>>> = {
  '.csv': csvRows,
  '.jsonl': jsonRows,
  '.ndjson': jsonRows,
};

/**
 * The rows of a CSV file with a header, or of a file with a JSON object a line. Throws `UsageError` if the file cannot
 * be read, and `RowProblem` if a row cannot.
 */
export async function* readRows(path: string): AsyncGenerator<Row> {
  const reader = READERS[extname(path).toLowerCase()];
  if (!reader)
    throw new UsageError(`error: Expected a file that ends with .csv, .jsonl or .ndjson, but got '${path}'.`);
  let rows = 0;
  for await (const row of readable(path, reader(path))) {
    if (++rows > MOST_ROWS) throw new UsageError(`error: Expected at most ${MOST_ROWS} rows, but '${path}' has more.`);
    yield row;
  }
}

async function* readable(path: string, rows: AsyncGenerator<Row>): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError(`error: Expected a file that can be read, but '${path}' cannot: ${(error as Error).message}.`);
  }
}

async function* csvRows(path: string): AsyncGenerator<Row> {
  let given: ReadonlyMap<string, string> = new Map();
  const columns = (header: readonly string[]): string[] => {
    given = givenNames(header);
    return header.map(columnOf);
  };
  const parser = parse({ bom: true, columns, info: true, skip_empty_lines: true });
  const file = createReadStream(path).on('error', (error) => parser.destroy(error));
  try {
    for await (const { info, record } of file.pipe(parser) as AsyncIterable<CsvRecord>)
      yield { line: info.lines, values: filled(record), given };
  } catch (error) {
    if (!isCsvError(error)) throw error;
    throw new RowProblem(error.lines, `Expected a row of CSV, but: ${error.message}`);
  } finally {
    file.destroy();
  }
}

interface CsvRecord {
  readonly info: { readonly lines: number };
  readonly record: Readonly<Record<string, string>>;
}

const isCsvError = (error: unknown): error is Error & { lines: number } =>
  error instanceof Error && 'lines' in error && typeof error.lines === 'number';

async function* jsonRows(path: string): AsyncGenerator<Row> {
  const file = createReadStream(path, 'utf8');
  // Without this, an error of the file is thrown outside of the loop.
  const failed = new Promise<never>((_, reject) => file.on('error', reject));
  failed.catch(() => undefined);
  const lines = createInterface({ input: file, crlfDelay: Infinity })[Symbol.asyncIterator]();
  try {
    for (let line = 1; ; line++) {
      const next = await Promise.race([lines.next(), failed]);
      if (next.done) return;
      if (next.value.trim() !== '') yield { line, ...objectIn(next.value, line) };
    }
  } finally {
    file.destroy();
  }
}

function objectIn(text: string, line: number): Omit<Row, 'line'> {
  const value = parsed(text, line);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RowProblem(line, 'Expected a JSON object, but got another value');
  const values = filled(Object.fromEntries(Object.entries(value).map(([name, one]) => [columnOf(name), one])));
  return { values, given: givenNames(Object.keys(value)) };
}

function parsed(text: string, line: number): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof InexactNumber) throw new RowProblem(line, error.message);
    throw new RowProblem(line, `Expected a JSON object, but: ${(error as Error).message}`);
  }
}

const columnOf = (name: string): string => name.trim().toLowerCase();

const givenNames = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [columnOf(name), name.trim()]));

const filled = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '' && value !== null));
