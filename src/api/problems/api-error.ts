/** Refusals of the HTTP layer itself, before or after the application handles the request. */
export const API_ERRORS = {
  INVALID_INPUT: { status: 400, title: 'The request is invalid' },
  MALFORMED_JSON: { status: 400, title: 'The body is not JSON' },
  MALFORMED_REQUEST: { status: 400, title: 'The request is malformed' },
  UNAUTHENTICATED: { status: 401, title: 'An API key is required' },
  SIGNATURE_REFUSED: { status: 401, title: 'The signature is not accepted' },
  FORBIDDEN: { status: 403, title: 'The request is not allowed' },
  ROUTE_NOT_FOUND: { status: 404, title: 'The path does not exist' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The method is not supported here' },
  ERASURE_NOT_DONE: { status: 409, title: 'The erasure has not been carried out' },
  NO_FOLLOW_SECRET: { status: 409, title: 'No secret for follow tokens is configured' },
  NOT_SEALED: { status: 409, title: 'No seal covers it yet' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request did not arrive in time' },
  LENGTH_REQUIRED: { status: 411, title: 'The length of the body must be given' },
  BODY_TOO_LARGE: { status: 413, title: 'The body is too large' },
  URI_TOO_LONG: { status: 414, title: 'The path is too long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The body must be JSON' },
  HOST_NOT_SERVED: { status: 421, title: 'The service does not answer under this host' },
  PRECONDITION_REQUIRED: { status: 428, title: 'If-Match is required' },
  TOO_MANY_REFUSED_KEYS: { status: 429, title: 'Too many refused API keys or signatures' },
  QUOTA_EXCEEDED: { status: 429, title: "The API key's quota is used up" },
  TOO_MANY_PIPELINED: { status: 429, title: 'Too many requests wait on one connection' },
  TOO_MANY_STREAMS: { status: 429, title: 'Too many event streams are open' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  INTERNAL_ERROR: { status: 500, title: 'Internal error' },
  HISTORY_NOT_READY: { status: 503, title: 'The history is not ready yet' },
  PROJECTION_BEHIND: { status: 503, title: 'The answer is not up to date yet' },
  OVERLOADED: { status: 503, title: 'Too many bytes are in progress' },
  TOO_MANY_CONNECTIONS: { status: 503, title: 'Too many connections are open' },
  DELIVERY_DEFERRED: { status: 503, title: 'The delivery is not taken now' },
  READ_TOO_LONG: { status: 503, title: 'The read took too long' },
  SHUTTING_DOWN: { status: 503, title: 'The service is stopping' },
  NOT_READY: { status: 503, title: 'The service is not ready' },
} as const;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** Thrown by the API's own code; the filter turns it into a problem. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly code: ApiErrorCode,
    /** In the form "Expected …, but …". */
    readonly detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Further members of the problem. */
    readonly data: object = {},
  ) {
    super(detail);
  }
}

/** The refusal of whatever would outlast the process. */
export const isStopping = (headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError('SHUTTING_DOWN', 'Expected the service to accept requests, but it is stopping', {
    'retry-after': '1',
    ...headers,
  });
