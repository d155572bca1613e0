/** A text of an address. Numbers in it, such as positions, are texts, too. */
export function textIn(search: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = search[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
