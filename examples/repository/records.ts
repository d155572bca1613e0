/** What the records of an object say. */
export interface About {
  readonly ark: string;
  readonly localId: string | null;
  readonly creator: string | null;
  readonly title: string | null;
  readonly date: string | null;
}

const UNKNOWN = '(:unkn)';

/** An Electronic Resource Citation. `where` has the ark first, then the local id. */
export const ercOf = ({ ark, localId, creator, title, date }: About): string =>
  ['erc:', `who: ${inLine(creator)}`, `what: ${inLine(title)}`, `when: ${inLine(date)}`, `where: ${ark}`]
    .concat(localId === null ? [] : [`where: ${inLine(localId)}`], '')
    .join('\n');

/** The local id in an ERC that a depositor sent: a `where` that is no ark. */
export const localIdIn = (erc: string): string | null =>
  [...erc.matchAll(/^where:\s*(.+)$/gm)].map(([, where]) => where!.trim()).find((where) => !where.startsWith('ark:')) ??
  null;

export const dublinCoreOf = ({ ark, localId, creator, title, date }: About): string => {
  const elements = [
    ['creator', creator],
    ['title', title],
    ['date', date],
    ['identifier', ark],
    ['identifier', localId],
  ] as const;
  const written = elements.flatMap(([name, value]) =>
    value === null ? [] : `  <dc:${name}>${escaped(value)}</dc:${name}>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<DublinCore xmlns:dc="http://purl.org/dc/elements/1.1/">',
    ...written,
    '</DublinCore>',
    '',
  ].join('\n');
};

const inLine = (value: string | null): string => (value === null ? UNKNOWN : value.replaceAll(/\s+/g, ' '));

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (value: string): string => value.replaceAll(/[&<>]/g, (sign) => ENTITIES[sign]!);
