/**
 * The data of events that are stored together. `shared` has the members in which all of them are equal, written once.
 * `lines` has the JSON of each event without those, one per line, because JSON text has no line break.
 */
export interface SegmentText {
  /** A JSON object; null if nothing is shared. */
  readonly shared: string | null;
  readonly lines: string;
}

type Data = Readonly<Record<string, unknown>>;

/** `members`: the names of the members that may be shared. */
export function segmentText(data: readonly object[], members: readonly string[]): SegmentText {
  const all = data as readonly Data[];
  const common = all.length > 1 ? members.filter((member) => isAlike(all, member)) : [];
  if (common.length === 0) return { shared: null, lines: all.map((one) => JSON.stringify(one)).join('\n') };
  const first = all[0]!;
  const shared = JSON.stringify(Object.fromEntries(common.map((member) => [member, first[member]])));
  return { shared, lines: all.map((one) => withoutMembers(one, common)).join('\n') };
}

function isAlike(all: readonly Data[], member: string): boolean {
  const value = all[0]![member];
  return value !== undefined && all.every((one) => one[member] === value);
}

/**
 * Builds the text by hand. Copying the object without the members, or giving JSON.stringify a list of those to keep,
 * took twice as long.
 */
function withoutMembers(data: Data, members: readonly string[]): string {
  let text = '';
  for (const member in data) {
    const value = data[member];
    if (value === undefined || members.includes(member)) continue;
    text += `${text === '' ? '' : ','}"${member}":${JSON.stringify(value)}`;
  }
  return `{${text}}`;
}

/** The JSON text of each event's data. */
export function segmentTexts(shared: string | null, lines: string): string[] {
  const texts = lines.split('\n');
  if (shared === null) return texts;
  return texts.map((text) => (text === '{}' ? shared : `${shared.slice(0, -1)},${text.slice(1)}`));
}

/**
 * The data of each event, as it was before it was stored. Parsing one text takes a third of the time of putting parsed
 * objects together.
 */
export function segmentData(shared: string | null, lines: string): object[] {
  const data = JSON.parse(`[${segmentTexts(shared, lines).join(',')}]`) as unknown[];
  if (!data.every(isObject)) throw notAnObject(data.find((one) => !isObject(one)));
  return data;
}

/** The object that a text is the JSON of. */
export function objectIn(text: string): object {
  const value = JSON.parse(text) as unknown;
  if (!isObject(value)) throw notAnObject(value);
  return value;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const notAnObject = (value: unknown): TypeError =>
  new TypeError(`Expected an object, but got ${value === null ? 'null' : typeof value}`);
