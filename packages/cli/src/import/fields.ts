import { InexactNumber, parseExactly } from '../exact-json.js';
import { type Row, RowProblem } from './read-rows.js';

const LONGEST_LABEL = 256;
const A_TIME = '2027-01-31T18:00:00Z';
const TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(?:[Zz]|UTC|([+-]\d\d):?(\d\d)?)$/;

/** From 1970 to 9999, as the service takes it; null if it is none. */
function instantIn(text: string): string | null {
  const [, year, month, day, clock, hours = '+00', minutes = '00'] = TIME.exec(text) ?? [];
  const instant = new Date(`${year}-${month}-${day}T${clock}${hours}:${minutes}`);
  // `Date` reads 30 February as 2 March.
  const isDay = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (!isDay || !(instant.getTime() >= 0)) return null;
  return /^\d/.test(instant.toISOString()) ? instant.toISOString() : null;
}

/** Reads the columns of one row. Every fault is a `RowProblem` that names the column. */
export class Fields {
  constructor(
    private readonly row: Row,
    columns: readonly string[],
  ) {
    const unknown = Object.keys(row.values).find((name) => !columns.includes(name));
    if (unknown !== undefined) this.fail(`the columns ${columns.join(', ')}`, `there is '${this.named(unknown)}'`);
  }

  get line(): number {
    return this.row.line;
  }

  /** The column as the file has it. */
  named(column: string): string {
    return this.row.given?.get(column) ?? column;
  }

  value(column: string): unknown {
    return this.row.values[column];
  }

  text(column: string): string | undefined {
    const value = this.row.values[column];
    if (value === undefined || typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
  }

  required(column: string): string {
    const value = this.text(column);
    return value ?? this.fail(`a value in '${this.named(column)}'`, 'there is none');
  }

  /** A text of at most so many characters. */
  short(column: string, most: number): string | undefined {
    const text = this.text(column);
    if (text === undefined || text.length <= most) return text;
    return this.fail(`at most ${most} characters in '${this.named(column)}'`, `there are ${text.length}`);
  }

  /** An object of texts. */
  labels(column: string): Readonly<Record<string, string>> {
    const given = this.json(column) ?? {};
    const expected = `an object of texts of up to ${LONGEST_LABEL} characters in '${this.named(column)}'`;
    if (typeof given !== 'object' || Array.isArray(given)) return this.fail(expected, `it is '${this.text(column)}'`);
    const entries = Object.entries(given as object);
    const wrong = entries.find(([, value]) => typeof value !== 'string' || value.length > LONGEST_LABEL);
    return wrong ? this.fail(expected, `'${wrong[0]}' is another value`) : Object.fromEntries(entries);
  }

  whole(column: string, least: number, most: number): number | undefined {
    const text = this.text(column);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most && text.trim() !== '') return value;
    return this.fail(`a whole number from ${least} to ${most} in '${this.named(column)}'`, `it is '${text}'`);
  }

  /** An instant as databases and programs write it. */
  instant(column: string): string | undefined {
    const text = this.text(column);
    if (text === undefined) return undefined;
    return (
      instantIn(text) ??
      this.fail(`a time such as ${A_TIME} in '${this.named(column)}', with its offset`, `it is '${text}'`)
    );
  }

  flag(column: string): boolean | undefined {
    const given = this.text(column);
    if (given === undefined) return undefined;
    const text = given.toLowerCase();
    if (['true', '1', 't', 'yes'].includes(text)) return true;
    if (['false', '0', 'f', 'no'].includes(text)) return false;
    return this.fail(`true or false in '${this.named(column)}'`, `it is '${given}'`);
  }

  /** JSON in a column of text stays what it is, because other payloads are kept as they are given. */
  json(column: string): unknown {
    const value = this.row.values[column];
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
    try {
      return parseExactly(value);
    } catch (error) {
      if (error instanceof InexactNumber) throw new RowProblem(this.row.line, error.message);
      return value;
    }
  }

  fail(expected: string, actual: string): never {
    throw new RowProblem(this.row.line, `Expected ${expected}, but ${actual}`);
  }
}
