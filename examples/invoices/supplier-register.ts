import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A supplier's service could not be asked. It says nothing about the invoice. */
export class RegisterAway extends Error {
  override readonly name = 'RegisterAway';
}

/** As long as a service elsewhere takes. */
const ANSWER_MS = 30;

/** A register of suppliers on this machine: one service, in which one supplier's entry cannot be read for a while. */
export class SupplierRegister {
  private asked = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** `away`: the tax number whose entry cannot be read at first, until it was asked for `times` times. */
  static async open(away: string, times: number): Promise<SupplierRegister> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const register = new SupplierRegister(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', ({ url = '' }, response) => {
      const isAway = url.endsWith(away) && ++register.asked <= times;
      const body = isAway ? '{}' : JSON.stringify({ taxNumber: url.slice(1), isActive: true });
      setTimeout(() => response.writeHead(isAway ? 503 : 200).end(body), ANSWER_MS);
    });
    return register;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Asks the register whether the supplier may be paid. Throws `RegisterAway` if it does not answer. */
export async function isActive(url: string, taxNumber: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${url}/${encodeURIComponent(taxNumber)}`, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new RegisterAway(`Expected the register of suppliers to answer, but: ${String(error)}`);
  });
  if (!response.ok)
    throw new RegisterAway(`Expected the entry of ${taxNumber}, but the register answered ${response.status}`);
  return ((await response.json()) as { isActive: boolean }).isActive;
}
