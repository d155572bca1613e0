import { Ajv2020, type CodeKeywordDefinition, type ErrorObject, type KeywordCxt, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { Json, JsonObject } from '../../domain/kernel/json.js';

/** Where a value does not match its schema: a JSON Pointer (RFC 6901) into it, and what is wrong there, without the value. */
export interface SchemaMismatch {
  readonly at: string;
  readonly because: string;
}

/** The most bytes of a schema as JSON. */
export const SCHEMA_BYTES = 65_536;
/** Each of so many elements is compared with each other. */
const UNIQUE_ITEMS = 1_000;

/** Why the schema cannot be used, as the end of a sentence; null if it can. */
export function schemaFault(schema: JsonObject): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > SCHEMA_BYTES) return `it has ${bytes} bytes, and ${SCHEMA_BYTES} are allowed`;
  if ('$async' in schema) return "'$async' is not allowed";
  try {
    boundingComparisons(compilerOf({ validateSchema: true })).compile(schema);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The first mismatch; null if the value matches. */
export function mismatchIn(schema: JsonObject, value: Json): SchemaMismatch | null {
  const check = checkOf(schema);
  try {
    return check(value) ? null : mismatchOf(check.errors![0]!);
  } catch (error) {
    // Values and schemas may be nested more deeply than the stack allows.
    if (error instanceof RangeError) return { at: '', because: 'is nested too deeply to be checked' };
    throw error;
  }
}

interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

const checks = new WeakMap<JsonObject, Check>();
/** By their text: a refusal has the policy read anew, and whoever sends wrong payloads must not have a schema compiled for each. */
const compiled = new LRUCache<string, Check>({ max: 500 });

function checkOf(schema: JsonObject): Check {
  const known = checks.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  const check = compiled.get(text) ?? compilerOf({ validateSchema: false, meta: false }).compile(schema);
  compiled.set(text, check);
  checks.set(schema, check);
  return check;
}

/** Unknown keywords and formats are faults. What the standard allows is not, such as a required member that no other keyword describes. */
const STRICT = { strict: true, strictTypes: false, strictTuples: false, strictRequired: false } as const;

/** A new compiler for each schema, because one keeps every schema that it has compiled. `example` is what OpenAPI has beside the standard's `examples`. */
function compilerOf(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ ...STRICT, code: { regExp }, ...options });
  addFormats.default(ajv, { mode: 'fast' });
  return ajv.addVocabulary(['example']);
}

/** The compiler itself tells the keyword from a member of a value, such as one of an `enum`, and from the name of a property. */
function boundingComparisons(ajv: Ajv2020): Ajv2020 {
  // Compiles the meta-schema, which has the keyword without a bound.
  void ajv.validateSchema({});
  const known = ajv.getKeyword('uniqueItems') as CodeKeywordDefinition;
  const code = (context: KeywordCxt): void => {
    if (context.schema === true && !(context.parentSchema['maxItems'] <= UNIQUE_ITEMS))
      throw new Error(`'uniqueItems' needs a 'maxItems' of at most ${UNIQUE_ITEMS} beside it`);
    known.code(context);
  };
  return ajv.removeKeyword('uniqueItems').addKeyword({ ...known, code });
}

/** Patterns match in linear time, so that no payload can hold up the service. */
const regExp = Object.assign((pattern: string) => new LinearPattern(pattern), { code: 'LinearPattern' });

class LinearPattern {
  private readonly compiled: RE2JS;
  constructor(private readonly source: string) {
    this.compiled = RE2JS.compile(RE2JS.translateRegExp(source));
  }
  test(text: string): boolean {
    return this.compiled.matcher(text).find();
  }
  /** By this, the compiler tells patterns apart. */
  toString(): string {
    return this.source;
  }
}

function mismatchOf({ instancePath, keyword, message = 'does not match', params }: ErrorObject): SchemaMismatch {
  const name = keyword === 'additionalProperties' ? `: '${String(params.additionalProperty)}'` : '';
  return { at: instancePath, because: `${message}${name}` };
}
