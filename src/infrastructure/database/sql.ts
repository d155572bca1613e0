import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import * as LOCKS from './locks.js';

export type Constants = Readonly<Record<string, string | number>>;

/** `:NAME`, but not a cast (`::`), and not within a word. */
const CONSTANT = /(?<![:\w]):([A-Z][A-Z_]*)\b/g;
const PARAMETER = /(?<![:\w]):([a-z]\w*)/g;

/** What a file has that creates a function. Others have a statement. */
const FUNCTION = /^ *create (or replace )?function /m;

/**
 * Reads the `.sql` file at `path` relative to the module (`import.meta.url`). Replaces each `:NAME` with a constant:
 * the number of a lock, or one of those given.
 */
export const readSql = (module: string, path: string, constants: Constants = {}): string =>
  withConstants(textOf(module, `${path}.sql`), `${path}.sql`, constants);

/**
 * Reads the functions in the module's folder and below it, one from a file. Their order says nothing, because they are
 * created before any is called.
 */
export const functionsBeside = (module: string, constants: Constants = {}): readonly string[] =>
  sqlFilesBelow(module).flatMap((file) => {
    const text = textOf(module, file);
    return FUNCTION.test(text) ? [withConstants(text, file, constants)] : [];
  });

const textOf = (module: string, file: string): string => readFileSync(new URL(file, module), 'utf8');

/** Sorted, because builds with the same functions have the same name. */
const sqlFilesBelow = (module: string): readonly string[] =>
  readdirSync(new URL('.', module), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();

function withConstants(text: string, file: string, constants: Constants): string {
  const known: Constants = { ...LOCKS, ...constants };
  return text.replace(CONSTANT, (_, name: string) => {
    if (known[name] === undefined) throw new Error(`Expected ${file} to name a known constant, but it is '${name}'`);
    return String(known[name]);
  });
}

/** A prepared statement with named parameters (`:name` in its text). */
export interface Statement<Parameters extends object> {
  readonly name: string;
  /** The text for Postgres, in which `$1` is the parameter that occurs first. */
  readonly text: string;
  with(values: Parameters): pg.QueryConfig;
}

export function statement<Parameters extends object>(name: string, sql: string): Statement<Parameters> {
  const names: string[] = [];
  const text = sql.replace(PARAMETER, (_, parameter: string) => {
    if (!names.includes(parameter)) names.push(parameter);
    return `$${names.indexOf(parameter) + 1}`;
  });
  const listOf = (values: object): unknown[] =>
    names.map((parameter) => (values as Record<string, unknown>)[parameter]);
  return { name, text, with: (values) => ({ name, text, values: listOf(values) }) };
}
