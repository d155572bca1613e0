import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from './fields.js';
import { isUuid } from '../../domain/kernel/patterns.js';
import { isInstant } from './formats.js';

export const OPENAPI_VERSION = '3.1.0';

type Model = new () => object;

/**
 * A check compiled from the class's component schema in the OpenAPI document. It is as strict as the class's decorators
 * (test/api/validation.spec.ts) and a hundred times as fast.
 */
export function compiledCheck(model: Model): ValidateFunction {
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
  ajv.addSchema({ $id: 'waybill', components: { schemas: chosenByName(componentSchemas([model])) } });
  return ajv.compile({ $ref: `waybill#/components/schemas/${model.name}` });
}

/**
 * The schemas, of which each that may be one of several is looked at as the one it names. Trying one after the other made an error
 * for each of the others, 1.3 KB for a success. Ajv takes no mapping, and would accept what is no object.
 */
function chosenByName(schemas: Record<string, unknown>): unknown {
  const chosen = (_: string, value: unknown): unknown => {
    if (!isObject(value) || !isObject(value.discriminator)) return value;
    const { propertyName } = value.discriminator;
    return { type: 'object', ...value, discriminator: { propertyName } };
  };
  return JSON.parse(JSON.stringify(schemas), chosen) as unknown;
}

/** The component schemas of these classes and of all classes they refer to, as the document generator writes them. */
export function componentSchemas(extraModels: Model[]): Record<string, unknown> {
  const document = SwaggerModule.createDocument(NO_APPLICATION, { openapi: OPENAPI_VERSION } as OpenAPIObject, {
    extraModels,
  });
  return document.components?.schemas ?? {};
}

/**
 * The minimum that the generator needs of an application without routes, so that building a schema needs no running
 * server.
 */
const NO_APPLICATION = {
  container: { getModules: () => new Map(), isGlobalModule: () => false },
  config: { getGlobalPrefix: () => '' },
  getHttpAdapter: () => ({ getType: () => 'fastify' }),
} as unknown as INestApplication;
