import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What to do when an answer is over. One listener for all of it, because a request has many such things. */
const onOver = new WeakMap<ServerResponse, (() => void)[]>();
/** What to do when a connection closes: once for each of its answers that are not over. */
const onClose = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `then` once, when the answer has been sent or its connection has closed. An answer tells of neither if its
 * connection closes while it stands behind another one (pipelining), so what it had taken would be taken for ever.
 */
export function whenOver({ raw, request }: FastifyReply, then: () => void): void {
  if (raw.closed || request.raw.socket.closed) return then();
  (onOver.get(raw) ?? watchedAnswer(raw, request.raw.socket)).push(then);
}

/** How many requests of a connection are not answered yet. */
export const unansweredOf = (socket: Socket): number => onClose.get(socket)?.size ?? 0;

function watchedAnswer(raw: ServerResponse, socket: Socket): (() => void)[] {
  const all: (() => void)[] = [];
  onOver.set(raw, all);
  const others = onClose.get(socket) ?? watchedSocket(socket);
  const over = (): void => {
    if (others.delete(over)) for (const then of all) then();
  };
  others.add(over);
  raw.once('close', over);
  return all;
}

function watchedSocket(socket: Socket): Set<() => void> {
  const all = new Set<() => void>();
  onClose.set(socket, all);
  socket.once('close', () => {
    for (const over of all) over();
  });
  return all;
}
