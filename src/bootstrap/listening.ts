import { createServer } from 'node:net';

/** The error that listening on the address would give; null if it is possible. */
export function triedToListen(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    // Closes connections at once, because a client such as a health check would keep the probe open.
    const probe = createServer((socket) => socket.destroy());
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}
