import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...openapi, $id: 'waybill' });

/** What is wrong with a request, by the schema of its operation, or null. */
export function wrongIn({ method, path, body }: Request): unknown {
  const isOf = (pattern: string): boolean => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const [pattern] = Object.keys(openapi.paths)
    .filter(isOf)
    .sort((a, b) => a.split('{').length - b.split('{').length);
  const operation = openapi.paths[pattern ?? '']?.[method.toLowerCase()];
  if (!operation) return `Expected an operation, but there is no ${method} ${path}`;
  if (!operation.requestBody) return body === undefined ? null : 'Expected no body';
  const pointer = ['paths', pattern!, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'];
  const parts = pointer.map((part) => encodeURIComponent(part.replaceAll('/', '~1')));
  const check = ajv.compile({ $ref: `waybill#/${parts.join('/')}` });
  return check(body) ? null : check.errors;
}
