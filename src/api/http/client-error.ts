import type { Socket } from 'node:net';
import { newId } from '../../application/kernel/new-id.js';
import { API_ERRORS, type ApiErrorCode } from '../problems/api-error.js';
import { problem } from '../problems/problem.js';

type Refusal = readonly [code: ApiErrorCode, detail: string];

const MALFORMED: Refusal = ['MALFORMED_REQUEST', 'Expected an HTTP request, but got something else'];

const REFUSALS: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    'REQUEST_TIMEOUT',
    'Expected the whole request within its time, but only a part of it arrived: send it again',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'BODY_TOO_LARGE',
    'Expected chunks with extensions of at most 16 KiB, but one has more',
  ],
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'Expected headers of at most 16 KiB, but they have more'],
};

/** Answers what never became a request, with a problem as everything else, and closes the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET') socket.destroy(error);
  else answerAndClose(socket, ...(REFUSALS[error.code ?? ''] ?? MALFORMED));
}

/** Answers with a problem where there is no request to answer, and closes the connection. */
export function answerAndClose(
  socket: Socket,
  code: ApiErrorCode,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (socket.writable) socket.write(answerOf(code, detail, headers));
  socket.destroy();
}

function answerOf(code: ApiErrorCode, detail: string, headers: Readonly<Record<string, string>>): string {
  const { status, title } = API_ERRORS[code];
  const body = JSON.stringify(problem({ code, status, title, detail }, { traceId: newId() }));
  return [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
