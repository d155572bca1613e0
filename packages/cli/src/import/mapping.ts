import { readFile } from 'node:fs/promises';
import { UsageError } from '../problems.js';
import { Fields } from './fields.js';
import { ITEM_COLUMNS, STATUS_NAMES, STATUSES } from './item-rows.js';
import type { Row } from './read-rows.js';

/** Columns of another table, by what each becomes. */
type Columns = Readonly<Record<string, string>>;

/** A status of a row, and what its columns have then: a text in any case, true or false in any spelling, or null for nothing. */
interface StatusRule {
  readonly when?: Readonly<Record<string, string | boolean | null>>;
  readonly is: string;
}

/** What a mapping file has. */
interface Content {
  /** Of all rows, if no column says it. */
  readonly queue?: string;
  /** By the columns of an import's own table of items. */
  readonly columns: Columns;
  /** By the members of the payload. */
  readonly payload?: Columns;
  /** By the names of labels. */
  readonly labels?: Columns;
  /** The first that fits counts. */
  readonly statuses?: readonly StatusRule[];
  /** The table's lower numbers come first. Waybill's higher ones do. */
  readonly invertPriority?: boolean;
  /** Columns that are left behind. */
  readonly ignore?: readonly string[];
}

const MEMBERS = ['queue', 'columns', 'payload', 'labels', 'statuses', 'invertPriority', 'ignore'];
const MAPPED = ITEM_COLUMNS.filter((column) => column !== 'labels');

/** A task has at most 32 labels, some of which name what else an item had. */
const MOST_LABELS = 20;

/** Reads the rows of any table as rows of an import's own table of items. */
export class Mapping {
  /** Those of the mapping, in lower case as rows have them, and whether a row had them. */
  private readonly isSeen: Map<string, boolean>;

  private constructor(
    readonly path: string,
    private readonly content: Content,
  ) {
    this.isSeen = new Map(columnsNamedIn(content).map((column) => [column, false]));
  }

  /** Throws `UsageError` if the file is no mapping. */
  static async read(path: string): Promise<Mapping> {
    const text = await readFile(path, 'utf8').catch((error: Error) => {
      throw new UsageError(`error: Expected a mapping file that can be read, but: ${error.message}.`);
    });
    return new Mapping(path, contentOf(text, path));
  }

  /** Throws `RowProblem` for a column that the mapping does not name, and for a row without a status. */
  applied(row: Row): Row {
    const { queue, columns, payload, labels, statuses, invertPriority } = this.content;
    const ignored = this.content.ignore?.map(lower) ?? [];
    const theirs = new Fields(row, [...this.isSeen.keys(), ...ignored]);
    for (const column of row.given?.keys() ?? []) if (this.isSeen.has(column)) this.isSeen.set(column, true);
    const values = valuesOf(columns, (column) => theirs.value(column));
    const all = {
      queue,
      ...values,
      ...(invertPriority && { priority: inverted(values['priority']) }),
      ...(payload && { payload: valuesOf(payload, (column) => theirs.json(column)) }),
      ...(labels && { labels: valuesOf(labels, (column) => theirs.text(column)) }),
      ...(statuses && { status: statusOf(theirs, statuses) }),
    };
    const given = Object.entries(columns).map(([ours, column]) => [ours, theirs.named(lower(column))] as const);
    return { line: row.line, values: present(all), given: new Map(given) };
  }

  /** The columns that no row had by now. */
  unseen(): readonly string[] {
    return [...this.isSeen].flatMap(([column, isSeen]) => (isSeen ? [] : [column]));
  }
}

const lower = (column: string): string => column.trim().toLowerCase();

const present = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const valuesOf = (columns: Columns, valueOf: (column: string) => unknown): Record<string, unknown> =>
  present(Object.fromEntries(Object.entries(columns).map(([ours, column]) => [ours, valueOf(lower(column))])));

/** What is no whole number stays as it is, so that it is named as the file has it. */
const inverted = (priority: unknown): unknown =>
  /^-?\d+$/.test(String(priority)) ? String(-Number(priority)) : priority;

function columnsNamedIn({ columns, payload = {}, labels = {}, statuses = [] }: Content): readonly string[] {
  const named = [columns, payload, labels].flatMap((part) => Object.values(part));
  return [...named, ...statusColumns(statuses)].map(lower);
}

const statusColumns = (statuses: readonly StatusRule[]): readonly string[] => [
  ...new Set(statuses.flatMap(({ when = {} }) => Object.keys(when))),
];

function statusOf(theirs: Fields, statuses: readonly StatusRule[]): string {
  const rule = statuses.find(({ when = {} }) =>
    Object.entries(when).every(([column, value]) => isValue(theirs, lower(column), value)),
  );
  if (rule) return rule.is;
  const had = statusColumns(statuses).map((column) => `'${column}' is '${theirs.text(lower(column)) ?? ''}'`);
  return theirs.fail("that one of the mapping's statuses fits", had.join(' and '));
}

function isValue(theirs: Fields, column: string, value: string | boolean | null): boolean {
  if (value === null) return theirs.text(column) === undefined;
  if (typeof value === 'boolean') return theirs.flag(column) === value;
  return theirs.text(column)?.toLowerCase() === value.toLowerCase();
}

function contentOf(text: string, path: string): Content {
  const given = parsed(text, path);
  const fault = faultIn(given);
  if (fault !== null) throw new UsageError(`error: Expected a mapping in '${path}' ${fault}.`);
  return given as Content;
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`error: Expected a mapping in '${path}' that is JSON, but: ${(error as Error).message}.`);
  }
}

function faultIn(given: unknown): string | null {
  if (!isObject(given)) return 'that is a JSON object, but it is another value';
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return `with the members ${MEMBERS.join(', ')}, but there is '${unknown}'`;
  const { queue, columns, payload = {}, labels = {}, statuses, invertPriority = false, ignore = [] } = given;
  if (!isColumns(columns)) return "with an object of names of columns in 'columns', but there is none";
  if (!isColumns(payload)) return "with an object of names of columns in 'payload', but there is another value";
  if (!isColumns(labels) || Object.keys(labels).length > MOST_LABELS)
    return `with an object of at most ${MOST_LABELS} names of columns in 'labels', but there is another value`;
  if (typeof invertPriority !== 'boolean') return "with true or false in 'invertPriority', but there is another value";
  if (!isTexts(ignore)) return "with a list of names of columns in 'ignore', but there is another value";
  if (queue !== undefined && !isText(queue)) return "with the name of a queue in 'queue', but there is another value";
  return faultInColumns(columns, given) ?? faultInStatuses(statuses);
}

function faultInColumns(columns: Columns, { queue, payload, statuses }: Record<string, unknown>): string | null {
  const unknown = Object.keys(columns).find((column) => !MAPPED.includes(column));
  if (unknown !== undefined) return `with the 'columns' ${MAPPED.join(', ')}, but there is '${unknown}'`;
  const sources = {
    queue: [queue, columns['queue'], columns['queue_id']],
    payload: [payload, columns['payload']],
    status: [statuses, columns['status']],
  };
  const twice = Object.entries(sources).find(([, from]) => from.filter((one) => one !== undefined).length > 1);
  return twice ? `that says once where '${twice[0]}' comes from, but it says so twice` : null;
}

function faultInStatuses(statuses: unknown): string | null {
  if (statuses === undefined || (Array.isArray(statuses) && statuses.length > 0 && statuses.every(isRule))) return null;
  return `whose 'statuses' are { "when": { column: value }, "is": one of ${STATUS_NAMES} }, but there is another value`;
}

function isRule(given: unknown): given is StatusRule {
  if (!isObject(given) || Object.keys(given).some((name) => !['when', 'is'].includes(name))) return false;
  const { when = {}, is } = given;
  const isCondition = (value: unknown) => value === null || ['string', 'boolean'].includes(typeof value);
  return isText(is) && STATUSES.has(is.toLowerCase()) && isObject(when) && Object.values(when).every(isCondition);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

const isColumns = (value: unknown): value is Columns => isObject(value) && Object.values(value).every(isText);
