import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server below every protocol, for peers that keep to none. */
export interface RawServer {
  readonly port: number;
  /** The connections that are open. */
  readonly open: ReadonlySet<Socket>;
  stop(): Promise<void>;
}

export async function startRawServer(talk: (socket: Socket) => void): Promise<RawServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    talk(socket);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    open,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => void server.close(closed));
    },
  };
}

/** Says something again and again, as fast as the other side takes it, or with a pause between. */
export function repeat(socket: Socket, text: string, pauseMs = 0): void {
  if (socket.destroyed) return;
  const again = (): void => repeat(socket, text, pauseMs);
  if (!socket.write(text)) return void socket.once('drain', again);
  if (pauseMs > 0) setTimeout(again, pauseMs).unref();
  else setImmediate(again);
}
