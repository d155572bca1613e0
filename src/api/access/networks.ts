import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The first bits of an IPv6 address are the customer's, and whoever has one address has all that begin with them. */
const CUSTOMER_BITS = 64;

/** What limits for addresses count as one: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${CUSTOMER_BITS}`).toString()}/${CUSTOMER_BITS}`;
}

/** A list of addresses and networks, such as `10.0.0.7` and `fd00::/8`. */
export class Networks {
  private readonly list = new BlockList();

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const [address, bits] = text.split('/') as [string, string?];
      if (bits === undefined) this.list.addAddress(address, familyOf(address));
      else this.list.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  have(address: string): boolean {
    return isIP(address) !== 0 && this.list.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
