/**
 * The data of events that are stored together: what all of them have alike is written once. `lines` has the JSON of each without that, on a
 * line of its own; JSON has no line break in it.
 */
export interface SegmentText {
  /** A JSON object; null where nothing is shared. */
  readonly shared: string | null;
  readonly lines: string;
}

type Data = Readonly<Record<string, unknown>>;

/** `members`: those that may be shared. */
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

/** Put together by hand: a copy without the members, or a list of those to keep, cost JSON.stringify twice as much. */
function withoutMembers(data: Data, members: readonly string[]): string {
  let text = '';
  for (const member in data) {
    const value = data[member];
    if (value === undefined || members.includes(member)) continue;
    text += `${text === '' ? '' : ','}"${member}":${JSON.stringify(value)}`;
  }
  return `{${text}}`;
}

/** The JSON of each event's data. */
export function segmentTexts(shared: string | null, lines: string): string[] {
  const texts = lines.split('\n');
  if (shared === null) return texts;
  return texts.map((text) => (text === '{}' ? shared : `${shared.slice(0, -1)},${text.slice(1)}`));
}

/** The data of each event, as they were before they were stored. */
export function segmentData(shared: string | null, lines: string): object[] {
  const texts = lines.split('\n');
  if (shared === null) return texts.map((text) => JSON.parse(text) as object);
  const common = JSON.parse(shared) as object;
  return texts.map((text) => ({ ...common, ...(JSON.parse(text) as object) }));
}
