import { applyDecorators, HttpCode, UseInterceptors, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiHeader, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { permissionsFor } from '../access/permissions.js';
import { API_ERRORS, type ApiErrorCode } from '../api-error.js';
import { Problem } from '../dto/problem.dto.js';
import { REJECTIONS, type RejectionCode } from '../problem.js';
import { AnswerHead } from './answer-head.interceptor.js';

type Code = RejectionCode | ApiErrorCode;

export interface Endpoint {
  readonly summary: string;
  readonly description?: string;
  /** The body of the answer. */
  readonly answers: Type;
  /** Answers 201 with this body where something was created. */
  readonly creates?: true;
  /** The refusals that are particular to it. */
  readonly refuses?: readonly Code[];
}

const ALWAYS: readonly Code[] = [
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'HOST_NOT_SERVED',
  'TOO_MANY_REFUSED_KEYS',
  'INTERNAL_ERROR',
  'STORE_UNAVAILABLE',
  'SHUTTING_DOWN',
];
const BODIES: readonly Code[] = ['MALFORMED_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** A question: changes nothing, and may be asked for a state at least as new as `minPosition`. */
export const QueryEndpoint = (endpoint: Endpoint): MethodDecorator =>
  applyDecorators(
    described(endpoint, ['PROJECTION_BEHIND'], {
      'X-As-Of-Position': 'The position that the answer reflects at least.',
    }),
    UseInterceptors(AnswerHead),
  );

/** A command: carried out once for its `Idempotency-Key`, in the name of its actor. */
export const CommandEndpoint = (endpoint: Endpoint): MethodDecorator =>
  applyDecorators(
    described(endpoint, [...BODIES, 'EVENT_TOO_LARGE', 'CONTENTION', 'IDEMPOTENCY_KEY_REUSED'], {
      'Idempotent-Replayed': "'true' where an Idempotency-Key repeated an earlier answer.",
    }),
    ACTOR,
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'The same request under the same key is carried out once.',
    }),
    UseInterceptors(AnswerHead),
  );

/** A worker's command, which is proven by its token or repeated under its own id. */
export const WorkerCommands = (endpoint: Endpoint): MethodDecorator =>
  applyDecorators(described(endpoint, [...BODIES, 'CONTENTION'], {}), ACTOR, UseInterceptors(AnswerHead));

const ACTOR = ApiHeader({
  name: 'Waybill-Actor',
  required: false,
  description: "Who acts, in the history; 'anonymous' when absent.",
});

function described(
  endpoint: Endpoint,
  usual: readonly Code[],
  headers: Readonly<Record<string, string>>,
): MethodDecorator {
  const { summary, description, answers, creates, refuses = [] } = endpoint;
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, about]) => [name, { description: about, schema: { type: 'string' as const } }]),
  );
  const location = { Location: { description: 'The path of what was created.', schema: { type: 'string' as const } } };
  return applyDecorators(
    NeedsKey,
    HttpCode(200),
    ApiOperation({ summary, ...(description !== undefined && { description }) }),
    ApiResponse({ status: 200, description: 'Done.', type: answers, headers: shown }),
    ...(creates
      ? [ApiResponse({ status: 201, description: 'Created.', type: answers, headers: { ...shown, ...location } })]
      : []),
    refusals([...ALWAYS, ...usual, ...refuses]),
  );
}

/** Asks for an API key that may do what the method is named for, where they are asked for. */
export const NeedsKey: MethodDecorator = (target, name, descriptor) =>
  RouteConfig({ permissions: permissionsFor(String(name)), takesQuery: takesQuery(target, name) })(
    target,
    name,
    descriptor,
  );

/** Whether the method has a parameter for the query; those are described before the method is. */
function takesQuery(controller: object, method: string | symbol): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, method) ?? {}) as object;
  return Object.keys(parameters).some((kind) => kind.startsWith(`${RouteParamtypes.QUERY}:`));
}

/** Asks nobody for an API key. */
export const NeedsNoKey = RouteConfig({ permissions: [] });

/** One response per status, which names the codes that it may carry. */
export function refusals(codes: readonly Code[]): MethodDecorator {
  const byStatus = groupByStatus(codes);
  return applyDecorators(
    ...Array.from(byStatus, ([status, names]) =>
      ApiResponse({
        status,
        description: names.map((name) => `\`${name}\`: ${rowOf(name).title}.`).join('\n\n'),
        content: { 'application/problem+json': { schema: { $ref: getSchemaPath(Problem) } } },
      }),
    ),
  );
}

function groupByStatus(codes: readonly Code[]): Map<number, Code[]> {
  const groups = new Map<number, Code[]>();
  for (const code of new Set(codes)) {
    const { status } = rowOf(code);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

const rowOf = (code: Code): { readonly status: number; readonly title: string } =>
  code in REJECTIONS ? REJECTIONS[code as RejectionCode] : API_ERRORS[code as ApiErrorCode];
