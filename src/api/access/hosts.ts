import { ApiError } from '../problems/api-error.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A name or an address as in the `Host` header of a request, without the port. */
export const HOST_NAME = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i;

/** The host names under which a service without API keys may be reached: this machine's own and the configured ones. */
export class Hosts {
  private readonly names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.names = new Set(names.map((name) => name.toLowerCase()));
  }

  /**
   * Throws `HOST_NOT_SERVED` unless the host is known. If a foreign page points its own name at this address (DNS
   * rebinding), browsers treat it as the same origin as the service's pages. Only the name tells them apart.
   */
  assertServed(host = ''): void {
    const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
    if (LOOPBACK.test(name) || this.names.has(name)) return;
    const served = ['localhost', ...this.names].join(', ');
    throw new ApiError(
      'HOST_NOT_SERVED',
      `Expected a request to one of the hosts ${served}, but it is to '${name}': ` +
        'add that name to WAYBILL_HOSTS, or require API keys with WAYBILL_API_KEYS',
    );
  }
}
