// Writes the operations and the shapes of the API for the Python client, from openapi.json.
import { readFile, writeFile } from 'node:fs/promises';

const FILE = new URL('../clients/python/src/waybill/_generated.py', import.meta.url);

const METHODS = ['get', 'put', 'post', 'delete'];

/** Words that Python keeps for itself, so that no field of a class can have them as its name. */
const KEYWORDS = new Set([
  'class',
  'from',
  'for',
  'in',
  'is',
  'not',
  'import',
  'global',
  'with',
  'as',
  'and',
  'or',
  'def',
  'return',
  'pass',
]);

const isName = (text) => /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);

const text = (value) => JSON.stringify(value);

const nameOf = (reference) => reference.slice(reference.lastIndexOf('/') + 1);

const PRIMITIVES = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

function union(types) {
  const all = [...new Set(types)];
  return all.includes('Any') ? 'Any' : all.join(' | ');
}

const literal = (values) =>
  `Literal[${values.map((each) => (typeof each === 'boolean' ? (each ? 'True' : 'False') : text(each))).join(', ')}]`;

const enumOf = (values) =>
  union([literal(values.filter((each) => each !== null)), ...(values.includes(null) ? ['None'] : [])]);

/** The type of a schema. `Any` where Python's types say no more. */
function typeOf(schema = {}) {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) return enumOf(schema.enum);
  if (schema.const !== undefined) return literal([schema.const]);
  if (schema.allOf?.length === 1) return typeOf(schema.allOf[0]);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map(typeOf));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === 'array') return `list[${typeOf(schema.items)}]`;
  if (schema.type === 'object') return `dict[str, ${mapped(schema.additionalProperties)}]`;
  return PRIMITIVES[schema.type] ?? 'Any';
}

const mapped = (values) => (typeof values === 'object' && Object.keys(values).length > 0 ? typeOf(values) : 'Any');

/** As a class, or by a call if a field has no name of Python; there, names of other shapes must be text. */
function shapeOf(name, schema) {
  if (!schema.properties) return `${name}: TypeAlias = ${text(typeOf(schema))}`;
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([field, of]) => [
    field,
    required.has(field) ? typeOf(of) : `NotRequired[${typeOf(of)}]`,
  ]);
  if (fields.every(([field]) => isName(field)))
    return [`class ${name}(TypedDict):`, ...fields.map(([field, type]) => `    ${field}: ${type}`)].join('\n');
  return [
    `${name} = TypedDict(`,
    `    ${text(name)},`,
    '    {',
    ...fields.map(([field, type]) => `        ${text(field)}: ${callType(type)},`),
    '    },',
    ')',
  ].join('\n');
}

const callType = (type) => {
  const [, inner] = /^NotRequired\[(.*)\]$/.exec(type) ?? [];
  return inner === undefined ? quoted(type) : `NotRequired[${quoted(inner)}]`;
};
const quoted = (type) => `'${type}'`;

function operationsOf(openapi) {
  return Object.entries(openapi.paths)
    .flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => [item[method], method.toUpperCase(), path]),
    )
    .map(
      ([
        {
          operationId,
          parameters = [],
          'x-waybill': { idempotency = 'none' },
        },
        method,
        path,
      ]) => {
        const names = new Set(parameters.map(({ name, $ref = '' }) => name ?? nameOf($ref)));
        const positioned = names.has('minPosition') ? 'True' : 'False';
        return `    ${text(operationId)}: Operation(${text(method)}, ${text(path)}, ${text(idempotency)}, ${positioned}),`;
      },
    );
}

const HEAD = `"""The operations and the shapes of Waybill's API. Generated from openapi.json by \`npm run openapi\`: do not edit."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict


class Operation(NamedTuple):
    """An operation of the API."""

    method: str
    path: str
    idempotency: Literal["key", "own", "either", "none"]
    """What identifies a repetition: an idempotency key, something in the request such as an id, either, or nothing."""
    positioned: bool
    """Whether it can wait until it shows what was recorded up to a position."""

`;

function writtenOf(openapi) {
  const shapes = Object.entries(openapi.components.schemas).filter(([name]) => isName(name));
  const operations = ['OPERATIONS: dict[str, Operation] = {', ...operationsOf(openapi), '}'].join('\n');
  const parts = [operations, ...shapes.map(([name, schema]) => shapeOf(name, schema))];
  return `${HEAD}\n${parts.join('\n\n\n')}\n`;
}

export const writePythonTypes = (openapi) => writeFile(FILE, writtenOf(openapi));

/** Whether the committed file follows from the document. */
export const isCurrent = async (openapi) => (await readFile(FILE, 'utf8')) === writtenOf(openapi);
