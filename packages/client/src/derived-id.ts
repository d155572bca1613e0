/**
 * Derives a task id from a name. A program that enqueues with derived ids and is started again finds its earlier tasks.
 * A UUID of version 8 (RFC 9562, section 5.8): the first 16 bytes of the SHA-256 of namespace, line feed and name, with
 * version and variant set. The service derives its ids in the same way.
 *
 * @param namespace the scope in which the name is unique, such as `invoices 2026`; no line feed
 */
export async function derivedId(namespace: string, name: string): Promise<string> {
  if (namespace.includes('\n')) throw new TypeError('Expected a namespace of one line, but it has a line feed');
  const text = new TextEncoder().encode(`${namespace}\n${name}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
