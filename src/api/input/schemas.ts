import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { schemaCompiler } from './ajv.js';
import { isObject } from './fields.js';

export const OPENAPI_VERSION = '3.1.0';

type Model = new () => object;

/**
 * A check compiled from the class's component schema in the OpenAPI document. The decorators of its fields check by the same
 * schemas, one by one, with a message for each, a hundred times as slowly.
 */
export function compiledCheck(model: Model): ValidateFunction {
  const ajv = schemaCompiler();
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
