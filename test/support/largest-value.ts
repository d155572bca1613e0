/** The parts of a JSON schema that OpenAPI documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly maximum?: number;
}

type Schemas = Readonly<Record<string, Schema>>;

const SAMPLES: Readonly<Record<string, string>> = {
  uuid: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f',
  'date-time': '2030-01-01T00:00:00Z',
};
/** Text that a heap keeps with two bytes per character, because one of them does not fit one byte. */
export const largeText = (bytes: number): string => `${'x'.repeat(Math.max(0, bytes - 3))}€`;

/** About the largest value of the schema that has `bytes` as JSON: all fields, the longest texts, the most items. */
export function largestValue(schema: Schema, schemas: Schemas, bytes: number): unknown {
  const found = resolved(schema, schemas);
  if (found.enum) return found.enum[0];
  if (found.properties) return largestObject(found.properties, schemas, bytes);
  const type = typeof found.type === 'string' ? found.type : found.type?.[0];
  if (type === 'object') return largestRecord(found, schemas, bytes);
  if (type === 'array') return largestArray(found, schemas, bytes);
  if (type === 'integer' || type === 'number') return Math.min(found.maximum ?? 1, 1_000);
  if (type === 'boolean') return true;
  if (type === 'string') return largestText(found, bytes);
  return largeText(bytes);
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf, anyOf, oneOf } = schema;
  const inner = $ref ? schemas[$ref.slice($ref.lastIndexOf('/') + 1)] : (allOf ?? anyOf ?? oneOf)?.[0];
  return inner ? resolved(inner, schemas) : schema;
}

function largestObject(fields: Readonly<Record<string, Schema>>, schemas: Schemas, bytes: number): object {
  const share = bytes / Object.keys(fields).length;
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.map(([name, field]) => [name, largestValue(field, schemas, share - name.length)]));
}

function largestRecord({ maxProperties = 32, additionalProperties }: Schema, schemas: Schemas, bytes: number): object {
  if (typeof additionalProperties !== 'object') return {};
  const names = Array.from({ length: maxProperties }, (_, n) => `${'n'.repeat(60)}${n}`);
  const share = bytes / maxProperties - 64;
  return Object.fromEntries(names.map((name) => [name, largestValue(additionalProperties, schemas, share)]));
}

function largestArray({ items, maxItems = 100 }: Schema, schemas: Schemas, bytes: number): unknown[] {
  const item = largestValue(items!, schemas, bytes / maxItems);
  const length = Math.min(maxItems, Math.floor(bytes / JSON.stringify(item).length));
  return Array.from({ length: Math.max(1, length) }, () => item);
}

function largestText({ format, pattern, example, maxLength = 100 }: Schema, bytes: number): string {
  if (format) return SAMPLES[format]!;
  if (pattern) return typeof example === 'string' ? example : '1';
  return largeText(Math.min(maxLength, Math.max(1, bytes)));
}
