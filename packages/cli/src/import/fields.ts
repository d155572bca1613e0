import { InexactNumber, parseExactly } from '../exact-json.js';
import { type Row, RowProblem } from './read-rows.js';

/** Reads the columns of one row. Every fault is a `RowProblem` that names the column. */
export class Fields {
  constructor(
    private readonly row: Row,
    columns: readonly string[],
  ) {
    const unknown = Object.keys(row.values).find((name) => !columns.includes(name));
    if (unknown !== undefined) this.fail(`the columns ${columns.join(', ')}`, `there is '${unknown}'`);
  }

  get line(): number {
    return this.row.line;
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
    return value ?? this.fail(`a value in '${column}'`, 'there is none');
  }

  whole(column: string, least: number): number | undefined {
    const text = this.text(column);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least && text.trim() !== '') return value;
    return this.fail(`a whole number from ${least} in '${column}'`, `it is '${text}'`);
  }

  flag(column: string): boolean | undefined {
    const given = this.text(column);
    if (given === undefined) return undefined;
    const text = given.toLowerCase();
    if (['true', '1', 't', 'yes'].includes(text)) return true;
    if (['false', '0', 'f', 'no'].includes(text)) return false;
    return this.fail(`true or false in '${column}'`, `it is '${given}'`);
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
