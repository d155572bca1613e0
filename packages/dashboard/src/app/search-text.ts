/** A text of an address. Numbers in it, such as positions, are texts, too. */
export function textIn(search: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = search[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The queue that a search names, if it is only one. */
export const queueIn = (q: string): string | undefined => /(?:^|\s)queue:([\w.-]+)(?=\s|$)/.exec(q)?.[1];

/** Fields of the addresses that the pages had before they had a search, as terms of one. */
const FIELDS = ['queue', 'state', 'key', 'reference', 'kind', 'worker', 'step', 'batch'] as const;

/** The search of an address, or what an address of earlier says in its place. */
export function searchIn(search: Readonly<Record<string, unknown>>): string | undefined {
  const typed = textIn(search, 'q');
  if (typed !== undefined) return typed;
  const terms = FIELDS.flatMap((name) => {
    const value = textIn(search, name);
    return value === undefined ? [] : [`${name}:${/^[\w.-]+$/.test(value) ? value : JSON.stringify(value)}`];
  });
  const [label, ...value] = textIn(search, 'label')?.split('=') ?? [];
  if (label) terms.push(`label.${label}:${JSON.stringify(value.join('='))}`);
  return terms.length > 0 ? terms.join(' ') : undefined;
}
