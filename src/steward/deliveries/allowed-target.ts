import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DeliveryTargets } from '../../application/deliveries/delivery-targets.port.js';
import { type DeliverySettings, fits, secretNamed, unknownSecret } from './delivery-settings.js';
import { Names } from './names.js';
import { RefusedDelivery } from './refused-delivery.js';
import { NO_MAIL_SERVER } from './send-mail.js';

/** What may be left out allows what the configuration allows by default. */
type Rules = Pick<DeliverySettings, 'webhookHttp' | 'webhookNetworks'> & Partial<DeliverySettings>;

/** The ports of https and http. */
const USUAL_PORTS: readonly number[] = [443, 80];

/** Global unicast addresses are all here so far. Whatever else no table calls special, such as IPv4 within ::/96, is not. */
const GLOBAL = ipaddr.parseCIDR('2000::/3');
/** Public by their number, but they lead to the machine's own cloud, or are for documents. */
const SPECIAL = ['168.63.129.16/32', '3fff::/20', '2620:4f:8000::/48'].map((text) => ipaddr.parseCIDR(text));

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

  /** Throws `RefusedDelivery`. Names are checked by `lookupFor`, once they are resolved. */
  check(url: URL, secret: string): void {
    refuse(this.faultIn(url, secret));
  }

  /** Throws `RefusedDelivery`. */
  checkMail(to: readonly string[]): void {
    refuse(this.faultInRecipients(to));
  }

  faultIn(url: URL, secret: string): string | null {
    return this.faultInText(url) ?? this.faultInHost(url, secret) ?? this.faultInPlace(url);
  }

  faultInSecret(name: string): string | null {
    return secretNamed(this.rules.webhookSecrets ?? {}, name) === null ? unknownSecret(name) : null;
  }

  faultInMail(to: readonly string[]): string | null {
    return this.rules.smtpUrl === undefined ? NO_MAIL_SERVER : this.faultInRecipients(to);
  }

  private faultInText({ protocol, username, password, host }: URL): string | null {
    if (protocol !== 'https:' && !(protocol === 'http:' && this.rules.webhookHttp))
      return `Expected a webhook to use https, but '${host}' is addressed with '${protocol}'`;
    if (username === '' && password === '') return null;
    return `Expected the URL of a webhook to have no user name or password, but '${host}' has`;
  }

  private faultInHost({ hostname }: URL, secret: string): string | null {
    const { webhookHosts = [], webhookSecrets = {} } = this.rules;
    const host = hostname.replace(/\.$/, '');
    if (webhookHosts.length > 0 && !fits(host, webhookHosts))
      return `Expected WAYBILL_WEBHOOK_HOSTS to list the host of a webhook, but '${host}' is not there`;
    const hosts = secretNamed(webhookSecrets, secret)?.hosts ?? null;
    if (hosts === null || fits(host, hosts)) return null;
    return `Expected the secret '${secret}' to sign for its hosts only, but '${host}' is none of them`;
  }

  /** A name may be that of a listed network, of which all ports are allowed, so only the delivery can tell. */
  private faultInPlace(url: URL): string | null {
    const address = addressIn(url);
    if (isIP(address) !== 0) return this.faultInAddress(address, portOf(url));
    return this.networks.length > 0 ? null : this.faultInPort(portOf(url));
  }

  private faultInPort(port: number): string | null {
    const { webhookPorts = USUAL_PORTS } = this.rules;
    if (webhookPorts.includes(port)) return null;
    return `Expected WAYBILL_WEBHOOK_PORTS to list the port of a webhook, but ${port} is not there`;
  }

  private faultInRecipients(to: readonly string[]): string | null {
    const { mailToDomains = [] } = this.rules;
    if (mailToDomains.length === 0) return null;
    const other = to.find((one) => !fits(one.slice(one.lastIndexOf('@') + 1), mailToDomains));
    return other === undefined
      ? null
      : `Expected WAYBILL_MAIL_TO_DOMAINS to list the domain of every recipient, but that of '${other}' is not there`;
  }

  /** For the connection itself, so that a name cannot resolve to another address after it was checked. */
  lookupFor(url: URL): LookupFunction {
    return (hostname, { all, family }, callback) => {
      this.addressesOf(hostname, portOf(url), family).then(
        (found) => (all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
        (error: Error) => callback(error as NodeJS.ErrnoException, []),
      );
    };
  }

  private async addressesOf(hostname: string, port: number, family: string | number = 0): Promise<LookupAddress[]> {
    const found = await this.names.addressesOf(hostname);
    for (const { address } of found) refuse(this.faultInAddress(address, port));
    const fitting = found.filter((one) => ![4, 6].includes(Number(family)) || one.family === Number(family));
    if (fitting.length === 0) throw new Error(`Expected '${hostname}' to have an address, but it has none`);
    return fitting;
  }

  private faultInAddress(text: string, port: number): string | null {
    // An IPv4 address that is mapped into IPv6 counts as what it is.
    const address = ipaddr.process(text);
    if (this.networks.some((network) => isIn(address, network))) return null;
    if (isPublic(address)) return this.faultInPort(port);
    return `Expected a webhook to have a public address, but it is '${text}' (${rangeOf(address)})`;
  }
}

type Address = ReturnType<typeof ipaddr.parse>;

const isPublic = (address: Address): boolean => rangeOf(address) === 'unicast';

function rangeOf(address: Address): string {
  const range = address.range();
  if (range !== 'unicast') return range;
  const isSpecial = SPECIAL.some((network) => isIn(address, network));
  return isSpecial || (address.kind() === 'ipv6' && !isIn(address, GLOBAL)) ? 'reserved' : range;
}

const addressIn = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const portOf = ({ port, protocol }: URL): number => (port !== '' ? Number(port) : protocol === 'https:' ? 443 : 80);

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
