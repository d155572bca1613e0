import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiSchema, getSchemaPath, type ApiPropertyOptions, type ApiSchemaOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { kindOf } from './invalid-input.js';
import { isUuid } from '../../domain/kernel/patterns.js';
import { checkOf } from './ajv.js';
import type { Shape } from './shape.js';
import { DURATION, POSITION } from './since.js';

// One decorator per kind of field. Its schema is what the OpenAPI document shows, what Ajv compiles into the check of a whole
// body, and what class-validator checks of the field (ADR 113).

export type Model = new () => object;

export interface About {
  readonly description?: string;
  readonly example?: unknown;
  readonly optional?: true;
  readonly nullable?: true;
  readonly default?: unknown;
  /** What is different in a request that changes the field. It does not show the example. */
  readonly change?: Omit<About, 'nullable' | 'change'> & { readonly nullable?: boolean };
}

interface Kind {
  readonly schema: ApiPropertyOptions;
  /** Completes "Expected …". */
  readonly expected: string;
  /** Instead of the schema, for what has classes or names within, which class-validator looks into. */
  readonly accepts?: (value: unknown) => boolean;
  /** What each element of a list must be, so that a wrong one is named. */
  readonly ofEach?: (element: unknown) => boolean;
  /** How class-transformer and class-validator look into it. */
  readonly within?: readonly PropertyDecorator[];
  /** What a request may send to change it, if that is more than what is shown. */
  readonly change?: Kind;
}

interface Field {
  readonly kind: Kind;
  readonly about: About;
}

const DECLARED = new WeakMap<object, Map<string, Field>>();

/** The fields that the class itself declares by the decorators below, in their order. */
export const fieldsOf = (model: Model): ReadonlyMap<string, Field> =>
  DECLARED.get(model.prototype as object) ?? new Map();

function declare(field: Field): PropertyDecorator {
  return (target, name) => {
    const fields = DECLARED.get(target) ?? new Map<string, Field>();
    DECLARED.set(target, fields.set(String(name), field));
  };
}

export function field(kind: Kind, about: About): PropertyDecorator {
  const { schema, within = [] } = kind;
  return applyDecorators(
    declare({ kind, about }),
    property(schema, about),
    presence(about),
    check(kind, about),
    ...within,
  );
}

function property(schema: ApiPropertyOptions, { optional, change: _change, ...shown }: About): PropertyDecorator {
  return ApiProperty({ ...schema, ...shown, required: optional !== true } as ApiPropertyOptions);
}

/** An optional field may be absent; `null` is a value like any other. */
const presence = ({ optional, nullable }: About): PropertyDecorator =>
  ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null));

function check({ schema, expected, accepts = checkOf(schema), ofEach }: Kind, { nullable }: About): PropertyDecorator {
  const wanted = nullable ? `${expected}, or null` : expected;
  return ValidateBy({
    name: 'kind',
    validator: {
      validate: accepts,
      defaultMessage: (args) =>
        `Expected ${wanted}, but got ${wrongElement(args?.value, ofEach) ?? kindOf(args?.value)}`,
    },
  });
}

/** The first wrong element of a list; null if there is none. */
function wrongElement(value: unknown, ofEach: Kind['ofEach']): string | null {
  const at = Array.isArray(value) && ofEach ? value.findIndex((element) => !ofEach(element)) : -1;
  return at < 0 ? null : `one whose element ${at} is ${kindOf((value as unknown[])[at])}`;
}

/** Text of `min` (default 1) to `max` characters. */
export function Text({ min = 1, max, pattern, ...about }: About & { min?: number; max: number; pattern?: Shape }) {
  const shape = pattern ? { pattern: pattern.source } : {};
  const kind: Kind = {
    schema: { type: 'string', minLength: min, maxLength: max, ...shape },
    expected: pattern ? pattern.words : `text of ${min} to ${max} characters`,
  };
  return field(kind, about);
}

/** A UUID in lower case. Ids name streams, so one task must not have two spellings. */
export const Uuid = (about: About) =>
  field({ schema: { type: 'string', format: 'uuid' }, expected: 'a UUID in lower case' }, about);

/** A list of up to `max` UUIDs. */
export const Uuids = ({ max, ...about }: About & { max: number }) =>
  field(
    {
      schema: { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: max } as ApiPropertyOptions,
      expected: `a list of up to ${max} UUIDs in lower case`,
      ofEach: isUuid,
    },
    about,
  );

/** An instant as RFC 3339 text, with any offset. */
export const Instant = (about: About) =>
  field(
    {
      schema: { type: 'string', format: 'date-time' },
      expected: 'an instant as RFC 3339 text, from 1970 to 9999',
    },
    about,
  );

/** A time in the past from which to begin. */
export const Since = (about: About) =>
  field(
    {
      schema: {
        type: 'string',
        anyOf: [{ const: 'now' }, { pattern: DURATION.source }, { format: 'date-time' }],
      } as ApiPropertyOptions,
      expected: "'now', how long ago, such as '10m' (s, m, h or d), or an instant as RFC 3339 text",
    },
    about,
  );

/** A moment of the log: a position, a time, or how long ago. */
export const MomentOf = (about: About) =>
  field(
    {
      schema: {
        type: 'string',
        anyOf: [{ pattern: POSITION.source }, { pattern: DURATION.source }, { format: 'date-time' }],
      } as ApiPropertyOptions,
      expected: "a position, how long ago, such as '10m' (s, m, h or d), or an instant as RFC 3339 text",
    },
    about,
  );

export const Flag = (about: About) => field({ schema: { type: 'boolean' }, expected: 'true or false' }, about);

/** True or false, or a name for another way of yes. */
export const FlagOr = (names: readonly string[], about: About) =>
  field(
    {
      schema: { oneOf: [{ type: 'boolean' }, { type: 'string', enum: [...names] }] },
      expected: `true, false or ${list(names)}`,
    },
    about,
  );

export function Integer({ min, max, ...about }: About & { min: number; max: number }) {
  const schema = { type: 'integer', minimum: min, maximum: max } as const;
  return field({ schema, expected: `an integer from ${min} to ${max}` }, about);
}

export function Decimal({ min, max, ...about }: About & { min: number; max: number }) {
  const schema = { type: 'number', minimum: min, maximum: max } as const;
  return field({ schema, expected: `a number from ${min} to ${max}` }, about);
}

function concurrencySchema(max: number, numbers: boolean): ApiPropertyOptions {
  const count = { type: 'integer', minimum: 1, maximum: max };
  const named = { type: 'string', enum: ['unlimited', 'serial'] };
  const perServer = {
    type: 'object',
    properties: { perServer: count },
    required: ['perServer'],
    additionalProperties: false,
  };
  return { oneOf: [named, perServer, ...(numbers ? [{ ...count, minimum: 0 }] : [])] };
}

/**
 * How many tasks of a queue run at once: a name or a number per server. A change may also be the number that S1 used,
 * where 0 means `serial`.
 */
export const ConcurrencyOf = ({ max, ...about }: About & { max: number }) =>
  field({ ...concurrency(max, false), change: concurrency(max, true) }, about);

const concurrency = (max: number, numbers: boolean): Kind => ({
  schema: concurrencySchema(max, numbers),
  expected: `'unlimited', 'serial' or { perServer: n }, n from 1 to ${max}`,
});

/** Rules about priorities: `{ label, value?, add }` or `{ batchAbove, add }`. */
export function PriorityRulesOf({ max, ...about }: About & { max: number }) {
  const add = { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const;
  const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const;
  const rule = (properties: object, required: string[]) =>
    ({ type: 'object', additionalProperties: false, properties, required }) as const;
  const oneOf = [
    rule({ label: text(64), value: text(256), add }, ['label', 'add']),
    rule({ batchAbove: { type: 'integer', minimum: 0 }, add }, ['batchAbove', 'add']),
  ];
  const schema = { type: 'array', items: { oneOf }, maxItems: max } as ApiPropertyOptions;
  const check = checkOf(schema);
  const kind: Kind = {
    schema,
    expected: `a list of up to ${max} rules, each { label, value, add }, { label, add } or { batchAbove, add }, with integers of 32 bits and texts`,
    accepts: (value) => has32Bits(value) && check(value),
  };
  return field(kind, about);
}

/** Whether the numbers of the rules can be stored, which the document does not say of all of them. */
const has32Bits = (rules: unknown): boolean =>
  Array.isArray(rules) &&
  rules.every(
    (rule) => isObject(rule) && [rule.add, rule.batchAbove].every((one) => Math.abs(Number(one ?? 0)) < 2 ** 31),
  );

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

const choiceOf = (values: readonly string[]): Kind => ({
  schema: { type: 'string', enum: [...values] },
  expected: values.length === 1 ? list(values) : `one of ${list(values)}`,
});

export const Choice = (values: readonly string[], about: About = {}) => field(choiceOf(values), about);

/** Distinct values out of `values`, at least `min` (default 0). */
export function Choices(values: readonly string[], { min = 0, ...about }: About & { min?: number } = {}) {
  const kind: Kind = {
    schema: {
      type: 'array',
      items: { type: 'string', enum: [...values] },
      ...(min > 0 && { minItems: min }),
      uniqueItems: true,
    },
    expected: `a list of ${min > 0 ? `${min} or more ` : ''}different values of ${list(values)}`,
  };
  return field(kind, about);
}

const textOfUpTo = (max: number, pattern?: Shape): Kind => ({
  schema: { type: 'string', minLength: 1, maxLength: max, ...(pattern && { pattern: pattern.source }) },
  expected: `text of 1 to ${max} characters`,
});

/** Distinct texts of up to `max` characters each, at least `min` (default 0). */
export function Texts(given: About & { max: number; min?: number; items: number; pattern?: Shape }) {
  const { max, min = 0, items, pattern, ...about } = given;
  const text = textOfUpTo(max, pattern);
  const atLeast = min > 0 ? { minItems: min } : {};
  const like = pattern ? `, each ${pattern.words}` : '';
  const kind: Kind = {
    schema: { type: 'array', items: text.schema, ...atLeast, maxItems: items, uniqueItems: true } as ApiPropertyOptions,
    expected: `a list of ${min > 0 ? `${min} to ${items}` : `up to ${items}`} different texts of 1 to ${max} characters${like}`,
  };
  return field(kind, about);
}

interface NamedOf {
  /** The class of the parts that have more than a name. */
  readonly part: Model;
  /** The part's member that holds its name. */
  readonly by: string;
  /** The names that may be given without a part, as plain text. */
  readonly names: readonly string[] | { readonly max: number };
  readonly items: number;
}

/** A list of distinct names. A name with further members is an object of the class `part`. */
export function Named({ part, by, names, items, ...about }: About & NamedOf): PropertyDecorator {
  const name = 'max' in names ? textOfUpTo(names.max) : choiceOf(names);
  const isName = checkOf(name.schema);
  const oneOf = [name.schema, { $ref: getSchemaPath(part) }];
  const kind: Kind = {
    schema: { type: 'array', items: { oneOf }, maxItems: items } as ApiPropertyOptions,
    expected: `a list of up to ${items} different names, each ${name.expected}, or an object that has the name as '${by}'`,
    accepts: (value) =>
      isList(value, items) &&
      value.every((one) => (one instanceof Alone ? isName(one.name()) : isObject(one))) &&
      allDiffer(value.map((one) => (one instanceof Alone ? one.name() : (one as Record<string, unknown>)[by]))),
    within: [ValidateNested({ each: true }), Type(() => part), Transform(withObjects)],
  };
  return field(kind, about);
}

const withObjects = ({ value }: { readonly value: unknown }): unknown =>
  Array.isArray(value) ? value.map((one: unknown) => (typeof one === 'string' ? new Alone(one) : one)) : value;

/** Stands for a plain name, because the validator needs objects. It has no members, so none can be refused. */
class Alone {
  readonly #name: string;
  constructor(name: string) {
    this.#name = name;
  }
  name(): string {
    return this.#name;
  }
}

/** Any JSON. Values that JSON cannot represent are refused for the request as a whole. */
export const AnyJson = (about: About) => field({ schema: ANY_JSON, expected: 'a JSON value' }, about);

/** A JSON object with any members. */
export const AnyObject = (about: About) =>
  field({ schema: { type: 'object', additionalProperties: true }, expected: 'a JSON object' }, about);

/** A schema that allows everything. The generator omits the property's design type only if it finds a combinator. */
const ANY_JSON: ApiPropertyOptions = { anyOf: [{}] };

/** An object described by its own class. */
export function Part(of: () => Model, about: About = {}): PropertyDecorator {
  const type = () => of(); // The document generator recognises a lazy type by this name.
  const within = [ValidateNested(), Type(of)];
  return field({ schema: { type }, expected: 'an object', accepts: isObject, within }, about);
}

/**
 * An object whose member `by` selects the class that describes it. `otherwise` describes an object that names none of
 * them.
 */
export function OneOf(by: string, classes: Readonly<Record<string, Model>>, otherwise: Model) {
  const oneOf = Object.values(classes).map((one) => ({ $ref: getSchemaPath(one) }));
  // Without the mapping, the names of the components would count as the values.
  const mapping = Object.fromEntries(Object.entries(classes).map(([name, one]) => [name, getSchemaPath(one)]));
  const byName = new Map<unknown, Model>(Object.entries(classes));
  const classOf = (value: unknown) => (isObject(value) && byName.get(value[by])) || otherwise;
  const kind: Kind = {
    schema: { oneOf, discriminator: { propertyName: by, mapping } },
    expected: 'an object',
    accepts: isObject,
    within: [ValidateNested(), Type((within) => classOf(within?.object[within.property]))],
  };
  return field(kind, {});
}

/** A list of objects of one class. */
export function Parts(of: () => Model, { min, max, ...about }: About & { min: number; max: number }) {
  const type = () => of();
  const kind: Kind = {
    schema: { type, isArray: true, minItems: min, maxItems: max },
    expected: `a list of ${min} to ${max} objects`,
    accepts: (value) => isList(value, max) && value.length >= min && value.every(isObject),
    ofEach: isObject,
    within: [ValidateNested({ each: true }), Type(of)],
  };
  return field(kind, about);
}

/** Marks the class of a request's object: it has the described members and no others. */
export const Closed = (): ClassDecorator => ApiSchema(CLOSED);

const CLOSED: ApiSchemaOptions & { additionalProperties: false } = { additionalProperties: false };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isList = (value: unknown, max: number): value is readonly unknown[] =>
  Array.isArray(value) && value.length <= max;

const allDiffer = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
