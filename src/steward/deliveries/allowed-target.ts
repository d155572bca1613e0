import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DeliveryTargets } from '../../application/deliveries/delivery-targets.port.js';
import type { DeliverySettings } from './delivery-settings.js';
import { Names } from './names.js';
import { RefusedDelivery } from './refused-delivery.js';
import { NO_MAIL_SERVER } from './send-mail.js';

type Rules = Pick<DeliverySettings, 'webhookHttp' | 'webhookNetworks' | 'smtpUrl'>;

/**
 * Which targets a webhook may have. Whoever orders a delivery chooses where the service connects to, so without these
 * rules they would reach whatever the service can reach: other services on its machine and in its network, and the
 * metadata of a cloud.
 */
export class AllowedTargets extends DeliveryTargets {
  private readonly networks: readonly ReturnType<typeof ipaddr.parseCIDR>[];

  constructor(
    private readonly rules: Rules,
    private readonly names = new Names(),
  ) {
    super();
    this.networks = rules.webhookNetworks.map(networkOf);
  }

  /** Throws `RefusedDelivery`. Names are checked by `lookup`, once they are resolved. */
  check(url: URL): void {
    refuse(this.faultIn(url));
  }

  faultIn({ protocol, username, password, hostname, host }: URL): string | null {
    if (protocol !== 'https:' && !(protocol === 'http:' && this.rules.webhookHttp))
      return `Expected a webhook to use https, but '${host}' is addressed with '${protocol}'`;
    if (username !== '' || password !== '')
      return `Expected the URL of a webhook to have no user name or password, but '${host}' has`;
    const address = hostname.replace(/^\[|\]$/g, '');
    return isIP(address) === 0 ? null : this.faultInAddress(address);
  }

  faultInMail(): string | null {
    return this.rules.smtpUrl === undefined ? NO_MAIL_SERVER : null;
  }

  /** For the connection itself, so that a name cannot resolve to another address after it was checked. */
  readonly lookup: LookupFunction = (hostname, { all, family }, callback) => {
    this.addressesOf(hostname, family).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error: Error) => callback(error as NodeJS.ErrnoException, []),
    );
  };

  private async addressesOf(hostname: string, family: string | number = 0): Promise<LookupAddress[]> {
    const found = await this.names.addressesOf(hostname);
    for (const { address } of found) refuse(this.faultInAddress(address));
    const fitting = found.filter((one) => ![4, 6].includes(Number(family)) || one.family === Number(family));
    if (fitting.length === 0) throw new Error(`Expected '${hostname}' to have an address, but it has none`);
    return fitting;
  }

  private faultInAddress(text: string): string | null {
    // An IPv4 address that is mapped into IPv6 counts as what it is.
    const address = ipaddr.process(text);
    if (address.range() === 'unicast' || this.networks.some((network) => isIn(address, network))) return null;
    return `Expected a webhook to have a public address, but it is '${text}' (${address.range()})`;
  }
}

function refuse(fault: string | null): void {
  if (fault !== null) throw new RefusedDelivery(fault);
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network);

function networkOf(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
