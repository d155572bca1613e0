import { ApiError } from '../api-error.js';

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
   * A page from elsewhere that gives its own name our address (DNS rebinding) is of one origin with us, for its reader's browser: by the
   * name alone it is told from our pages. Throws `HOST_NOT_SERVED`.
   */
  assertServed(host = ''): void {
    const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
    if (LOOPBACK.test(name) || this.names.has(name)) return;
    const served = ['localhost', ...this.names].join(', ');
    throw new ApiError(
      'HOST_NOT_SERVED',
      `Expected a request to one of the hosts ${served}, but it is to '${name}': ` +
        'name that in WAYBILL_HOSTS, or ask for API keys with WAYBILL_API_KEYS',
    );
  }
}
