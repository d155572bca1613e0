import { applyDecorators, createParamDecorator, HttpCode, Query, UseInterceptors, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiExtension, ApiHeader, ApiOperation, ApiParam, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Permission } from '../access/api-keys.js';
import { API_ERRORS, type ApiErrorCode } from '../problems/api-error.js';
import { Problem } from '../dto/problem.dto.js';
import { ARCHIVABLE_STATES } from '../../domain/queue/retention.policy.js';
import { flag, QueryValidator, wholeNumber } from '../input/query-validator.js';
import type { Mend } from '../input/storable.js';
import { CompiledValidator, Validator } from '../input/validator.js';
import { ABSENCES } from '../../application/history/history-reader.js';
import type { Receipt } from '../../application/kernel/command-context.js';
import type { Answer } from '../operations/answer.js';
import type { Call } from '../operations/call.js';
import { declareOperation, type Naming, type Operation } from '../operations/operation.js';
import { type ReceiptBody, receiptAnswer } from '../operations/outcomes.js';
import { idsNamedBy } from '../operations/prerequisites.js';
import type { RenameQueues } from '../operations/queue-ids.js';
import type { StreamFormat } from '../operations/stream-format.js';
import { type SubjectKind, subjectOf } from '../operations/subjects.js';
import { REJECTIONS, type RejectionCode } from '../problems/problem.js';
import type { AnswersWith } from './agreement.js';
import { OperationInterceptor } from './operation.interceptor.js';

type Code = RejectionCode | ApiErrorCode;

/** THE DECLARATION of an operation, at its controller's method. The path is in the method's HTTP decorator. */
export interface Endpoint extends Partial<
  Pick<Operation, 'on' | 'transaction' | 'ifMatch' | 'hot' | 'waits' | 'answerTo' | 'stream'>
> {
  readonly summary: string;
  readonly description?: string;
  /** An API key needs any one of these. */
  readonly permission: Permission | readonly Permission[];
  readonly body?: Type;
  /** Makes a body acceptable that has unstorable text, if that text may change. */
  readonly mends?: Mend;
  /** The request may omit its body. */
  readonly bodyOptional?: true;
  readonly query?: Type;
  /** Of a query that does not answer as of a moment: why not, or what does. Ends the sentence 'Expected no asOf, because'. */
  readonly onlyPresent?: string;
  /** The body of the answer. */
  readonly answers: Type;
  /**
   * The queues that a call reaches besides the one that its path identifies. Without them and such a path, only keys for
   * all queues may call it.
   */
  readonly queues?: (call: Call<never, never>) => readonly (string | undefined)[];
  /** The tasks and batches that a call names besides: what waits for them, or is part of them, shows and changes them. */
  readonly names?: (call: Call<never, never>) => readonly Naming[];
  /** For requests that name queues beside their paths: their ids count as well. */
  readonly renameQueues?: RenameQueues;
  /** How many tasks a call submits, if it may submit any. */
  readonly submits?: (call: Call<never, never>) => number;
  /** The token in the request proves that its holder could claim the task. */
  readonly leased?: true;
  /** The operation answers 201 with this body if it created something. */
  readonly creates?: true;
  /** Whether it may be previewed. If absent, commands that are given once per `Idempotency-Key` may. */
  readonly preview?: boolean;
  /** An id in the request identifies a repetition, so clients need not send an `Idempotency-Key`. */
  readonly idempotency?: 'either';
  /** The refusals that only this operation can give. */
  readonly refuses?: readonly Code[];
}

/** The class of the answer, and how a command's receipt becomes one. */
interface Answering<Shown, FromReceipt> {
  readonly answers: Type<Shown>;
  readonly answerTo?: (receipt: Receipt) => Answer<FromReceipt>;
}

/** The refusals that every operation can give. */
export const ALWAYS: readonly Code[] = [
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'HOST_NOT_SERVED',
  'TOO_MANY_REFUSED_KEYS',
  'QUOTA_EXCEEDED',
  'INTERNAL_ERROR',
  'STORE_UNAVAILABLE',
  'PROJECTION_BEHIND',
  'SHUTTING_DOWN',
];
const BODIES: readonly Code[] = [
  'MALFORMED_JSON',
  'REQUEST_TIMEOUT',
  'LENGTH_REQUIRED',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'OVERLOADED',
];

/** A query. It changes nothing, and may demand a state at least as new as `minPosition`. */
export const QueryEndpoint = <Shown extends object>(
  endpoint: Omit<Endpoint, 'permission' | 'answers'> &
    Partial<Pick<Endpoint, 'permission'>> & { readonly answers: Type<Shown> },
): AnswersWith<Shown> =>
  applyDecorators(
    answered(endpoint, { 'X-As-Of-Position': 'The answer reflects at least this position.' }),
    operation({ permission: 'read', ...endpoint }, 'none', ['READ_TOO_LONG', 'OVERLOADED']),
  );

/** A command. It is carried out once per `Idempotency-Key`, and recorded under its actor. */
export const CommandEndpoint = <Shown extends object, FromReceipt = ReceiptBody>(
  endpoint: Omit<Endpoint, 'answers' | 'answerTo'> & Answering<Shown, FromReceipt>,
): AnswersWith<Shown, FromReceipt> =>
  applyDecorators(
    answered(endpoint, {
      'Idempotent-Replayed': "'true' if this repeats an earlier answer under the same Idempotency-Key.",
    }),
    operation(endpoint, endpoint.idempotency ?? 'key', [
      ...BODIES,
      'EVENT_TOO_LARGE',
      'CONTENTION',
      'COMMAND_FAILED',
      'STREAM_UNREADABLE',
      'IDEMPOTENCY_KEY_REUSED',
    ]),
    CALLER,
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'The service carries out a request with the same key only once.',
    }),
  );

/** A worker's command. Its token proves it, or its own id identifies a repetition. */
export const WorkerEndpoint = <Shown extends object, FromReceipt = ReceiptBody>(
  endpoint: Omit<Endpoint, 'permission' | 'answers' | 'answerTo'> & Answering<Shown, FromReceipt>,
): AnswersWith<Shown, FromReceipt> =>
  applyDecorators(
    answered(endpoint, {}),
    operation({ permission: 'work', ...endpoint }, 'own', [
      ...BODIES,
      'CONTENTION',
      'COMMAND_FAILED',
      'STREAM_UNREADABLE',
    ]),
    CALLER,
  );

/** A query that answers with a stream of events. */
export const StreamEndpoint = (
  endpoint: Omit<Endpoint, 'permission' | 'answers'> &
    Partial<Pick<Endpoint, 'permission'>> & { readonly stream: StreamFormat; readonly events: Type },
): MethodDecorator =>
  applyDecorators(
    ApiResponse({
      status: 200,
      description: 'The events.',
      content: { [endpoint.stream.contentType]: { schema: { $ref: getSchemaPath(endpoint.events) } } },
    }),
    operation({ permission: 'read', ...endpoint }, 'none', [
      'QUEUE_NOT_FOUND',
      'TASK_NOT_FOUND',
      ...ABSENCES,
      'READ_TOO_LONG',
      'TOO_MANY_STREAMS',
    ]),
  );

/** Who gives a command, and within what. */
const CALLER = applyDecorators(
  ApiHeader({
    name: 'Waybill-Actor',
    required: false,
    description: "The name of the caller in the history; 'anonymous' if absent.",
  }),
  ApiHeader({
    name: 'Waybill-Agent',
    required: false,
    description: "The program or assistant that acts on the actor's behalf, for the history.",
  }),
  ApiHeader({
    name: 'traceparent',
    required: false,
    description: "The caller's W3C trace context, for the history. One that is not valid is ignored.",
  }),
);

/** What every operation has: its declaration, the check of the API key, and the documentation of its input. */
const operation =
  (
    endpoint: Omit<Endpoint, 'answers'>,
    idempotency: Operation['idempotency'],
    usual: readonly Code[],
  ): MethodDecorator =>
  (target, name, descriptor) => {
    const declared = declarationOf(endpoint, idempotency, String(name), target.constructor as Operation['controller']);
    declareOperation(declared);
    TheCall()(target, name, 0);
    if (endpoint.query) showQuery(endpoint.query, target, name);
    const { summary, description, refuses = [] } = endpoint;
    const { permissions, transaction } = declared;
    const parts: MethodDecorator[] = [
      RouteConfig({
        permissions,
        takesQuery: declared.query !== null,
        onlyPresent: endpoint.onlyPresent,
      }) as MethodDecorator,
      HttpCode(200),
      UseInterceptors(OperationInterceptor),
      ApiOperation({ summary, ...(description !== undefined && { description }) }),
      ApiExtension('x-waybill', { permissions, idempotency, transaction }),
      ...inputOf(endpoint),
      refusals([...ALWAYS, ...usual, ...refuses]),
    ];
    for (const part of parts.reverse()) part(target, name, descriptor);
  };

const isNamed = (queue: string | undefined): queue is string => queue !== undefined;

/** A queue that the request leaves out means all of them. */
function reachOf({
  on,
  queues,
  names,
  leased,
}: Pick<Endpoint, 'on' | 'queues' | 'names' | 'leased'>): Operation['reach'] {
  if (leased) return () => 'leased';
  return (called) => {
    const call = called as unknown as Call<never, never>;
    const { tasks, batches } = idsNamedBy(names?.(call) ?? []);
    const others = (queues?.(call) ?? []).filter(isNamed);
    if (on === 'queue') return { queues: [called.on, ...others], tasks, batches };
    if (on === 'task') return { queues: others, tasks: [called.on, ...tasks], batches };
    const named = queues?.(call) ?? [undefined];
    return named.every(isNamed) ? { queues: named, tasks, batches } : 'anything';
  };
}

function declarationOf(
  endpoint: Omit<Endpoint, 'answers'>,
  idempotency: Operation['idempotency'],
  id: string,
  controller: Operation['controller'],
): Operation {
  const {
    permission,
    on = null,
    body,
    mends,
    query,
    onlyPresent,
    transaction,
    ifMatch,
    hot,
    waits,
    answerTo,
    stream,
  } = endpoint;
  const BodyValidator = hot ? CompiledValidator : Validator;
  return {
    id,
    controller,
    permissions: typeof permission === 'string' ? [permission] : permission,
    reach: reachOf(endpoint),
    names: (endpoint.names ?? (() => [])) as Operation['names'],
    renameQueues: (endpoint.renameQueues ?? (() => undefined)) as Operation['renameQueues'],
    submits: (endpoint.submits ?? (() => 0)) as Operation['submits'],
    on,
    body: body ? new BodyValidator<object>(body, '', mends) : null,
    query: query ? new QueryValidator<object>(query, READERS, onlyPresent) : null,
    idempotency,
    transaction: transaction ?? false,
    preview: endpoint.preview ?? idempotency === 'key',
    ifMatch: ifMatch ?? null,
    hot: hot ?? false,
    waits: waits ?? false,
    stream: stream ?? null,
    answerTo: answerTo ?? receiptAnswer,
  };
}

/** Readers of the query parameters that are not text. */
const READERS = {
  limit: wholeNumber,
  waitMs: wholeNumber,
  depth: wholeNumber,
  up: wholeNumber,
  down: wholeNumber,
  policyVersion: wholeNumber,
  fromVersion: wholeNumber,
  size: wholeNumber,
  toVersion: wholeNumber,
  force: flag,
  internal: flag,
  overdue: flag,
  private: flag,
  ...Object.fromEntries(ARCHIVABLE_STATES.map((state) => [state, wholeNumber])),
};

/** Injects the call that `OperationInterceptor` has checked. */
const TheCall = createParamDecorator((_: unknown, context) => context.switchToHttp().getRequest<FastifyRequest>().call);

/**
 * Documents the fields of the query's class like those of a parameter that Nest injects. The method itself takes the
 * query from the call.
 */
function showQuery(query: Type, target: object, name: string | symbol): void {
  Query()(target, name, 1);
  Reflect.defineMetadata('design:paramtypes', [Object, query], target, name);
}

function inputOf({ on, body, bodyOptional }: Omit<Endpoint, 'answers'>): MethodDecorator[] {
  return [...(on ? [pathOf(on)] : []), ...(body ? [ApiBody({ type: body, required: !bodyOptional })] : [])];
}

function pathOf(on: SubjectKind): MethodDecorator {
  const { parameter, about } = subjectOf(on);
  return ApiParam({
    name: parameter,
    required: true,
    schema: { type: 'string' },
    ...(about !== undefined && { description: about }),
  });
}

function answered(
  { answers, creates }: Pick<Endpoint, 'answers' | 'creates'>,
  headers: Readonly<Record<string, string>>,
): MethodDecorator {
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, about]) => [name, { description: about, schema: { type: 'string' as const } }]),
  );
  const location = {
    Location: { description: 'The path of the created resource.', schema: { type: 'string' as const } },
  };
  return applyDecorators(
    ApiResponse({ status: 200, description: 'Done.', type: answers, headers: shown }),
    ...(creates
      ? [ApiResponse({ status: 201, description: 'Created.', type: answers, headers: { ...shown, ...location } })]
      : []),
  );
}

/** For a route that is no operation, so no SDK calls it, but that needs an API key. */
export const NeedsPermission = (...permissions: Permission[]): MethodDecorator =>
  applyDecorators(RouteConfig({ permissions, takesQuery: false }), ApiExtension('x-waybill', { permissions }));

/** For a route that needs no API key. */
export const NeedsNoKey = NeedsPermission();

/** For a route that is no operation either, whose senders have no API key and sign the body, of at most `bytes`. The route checks the signature. */
export const SignedRequest = (bytes: number): MethodDecorator =>
  applyDecorators(
    RouteConfig({ permissions: [], takesQuery: false, signedBytes: bytes }),
    ApiExtension('x-waybill', { permissions: [] }),
  );

/** Documents one response per status, with the codes that it may carry. */
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
