import { createServer } from 'node:net';

/** What listening there would fail with; null where it is possible. */
export function triedToListen(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    // Whoever connects meanwhile, such as a health check, would keep it open.
    const probe = createServer((socket) => socket.destroy());
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}
