import { Ajv2020 } from 'ajv/dist/2020.js';
import { isUuid } from '../../domain/kernel/patterns.js';
import { isInstant } from './formats.js';

/** A compiler of schemas that knows the formats and the keywords of the document. */
export function schemaCompiler(): Ajv2020 {
  // The schemas are the program's own. Checking them against the meta-schema takes 70 ms per class at its first
  // request.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    meta: false,
    validateSchema: false,
    discriminator: true,
  });
  ajv.addVocabulary(['example', 'components']);
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('date-time', isInstant);
  return ajv;
}

type Check = (value: unknown) => boolean;

const compiler = schemaCompiler();
const checks = new Map<string, Check>();

/** The check of a field's schema. Compiled at its first use, once for all fields that have the same. */
export function checkOf(schema: object): Check {
  let check: Check | undefined;
  return (value) => value !== undefined && (check ??= compiled(schema))(value);
}

function compiled(schema: object): Check {
  const text = JSON.stringify(schema);
  const check = checks.get(text) ?? (compiler.compile(schema) as Check);
  checks.set(text, check);
  return check;
}
