import { ApiError } from '../problems/api-error.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A name or an address as it stands in the `Host` of a request, without its port. */
export const HOST_NAME = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i;

/** By which names the service is reached where it asks nobody for an API key: this machine's own, and those it was told. */
export class Hosts {
  private readonly names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.names = new Set(names.map((name) => name.toLowerCase()));
  }

  /**
   * Throws `HOST_NOT_SERVED` unless the host is known. If a foreign page points its own name at our address (DNS rebinding), browsers treat
   * it as the same origin as our pages; only the name tells them apart.
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
