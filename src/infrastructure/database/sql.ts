import { readFileSync } from 'node:fs';
import type pg from 'pg';
import * as LOCKS from './locks.js';

export type Constants = Readonly<Record<string, string | number>>;

/** `:NAME`, but not a cast (`::`), and not within a word. */
const CONSTANT = /(?<![:\w]):([A-Z][A-Z_]*)\b/g;
const PARAMETER = /(?<![:\w]):([a-z]\w*)/g;

/**
 * Reads the `.sql` file at `path` relative to the module (`import.meta.url`). Replaces each `:NAME` with a constant:
 * the number of a lock, or one of those given.
 */
export function readSql(module: string, path: string, constants: Constants = {}): string {
  const known: Constants = { ...LOCKS, ...constants };
  return readFileSync(new URL(`${path}.sql`, module), 'utf8').replace(CONSTANT, (_, name: string) => {
    if (known[name] === undefined)
      throw new Error(`Expected ${path}.sql to name a known constant, but it is '${name}'`);
    return String(known[name]);
  });
}

/** Reads one function from each file. List them in an order in which Postgres can create them. */
export const functionsBeside = (module: string, paths: readonly string[], constants?: Constants): readonly string[] =>
  paths.map((path) => readSql(module, path, constants));

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
