import { PUBLIC_PARTS } from '../../domain/kernel/event-declaration.js';
import { restBeside } from '../../domain/task/erased-half.js';

/**
 * The data of events that are stored together. `shared` has the members in which all of them are equal, written once.
 * `lines` and `private` have the JSON of the halves of each event without those, one per line, because JSON text has no
 * line break.
 */
export interface SegmentText {
  /** A JSON object; null if nothing is shared. */
  readonly shared: string | null;
  /** The public halves. */
  readonly lines: string;
  /** The private halves. The line of an event without one is empty. Null if none has one. */
  readonly private: string | null;
}

/** What is stored of an event's private half once it is erased: this, the commitment to it, and what is left of it. */
const ERASED = '#';
const COMMITMENT_CHARACTERS = 44;

type Data = Readonly<Record<string, unknown>>;
type Private = Readonly<Record<string, boolean>>;

/** `members`: the names of the members that may be shared. `isPrivate`: of those that belong to the private half. */
export function segmentText(
  data: readonly object[],
  members: readonly string[],
  isPrivate: Private | null = null,
): SegmentText {
  const all = data as readonly Data[];
  const common = all.length > 1 ? members.filter((member) => isAlike(all, member)) : [];
  const shared = common.length === 0 ? null : membersOf(all[0]!, common);
  if (isPrivate !== null) return { shared, ...halvesOf(all, common, isPrivate) };
  const lines = all.map((one) => (shared === null ? JSON.stringify(one) : withoutMembers(one, common)));
  return { shared, lines: lines.join('\n'), private: null };
}

const membersOf = (data: Data, members: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(members.map((member) => [member, data[member]])));

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
    text += memberText(text, member, value);
  }
  return `{${text}}`;
}

const memberText = (before: string, member: string, value: unknown): string =>
  `${before === '' ? '' : ','}"${member}":${JSON.stringify(value)}`;

function halvesOf(all: readonly Data[], common: readonly string[], isPrivate: Private): Omit<SegmentText, 'shared'> {
  const lines = new Array<string>(all.length);
  const hidden = new Array<string>(all.length);
  let hasPrivate = false;
  all.forEach((data, at) => {
    let [open, closed] = ['', ''];
    for (const member in data) {
      const value = data[member];
      if (value === undefined || common.includes(member)) continue;
      if (isPrivate[member] === true) {
        closed += memberText(closed, member, value);
        const part = publicPart(member, value);
        if (part !== null) open += memberText(open, member, part);
      } else open += memberText(open, member, value);
    }
    lines[at] = `{${open}}`;
    hidden[at] = closed === '' ? '' : `{${closed}}`;
    hasPrivate ||= closed !== '';
  });
  return { lines: lines.join('\n'), private: hasPrivate ? hidden.join('\n') : null };
}

/** What both halves have of a private member; null if the public one has nothing of it. */
function publicPart(member: string, value: unknown): Data | null {
  const names = PUBLIC_PARTS[member];
  if (names === undefined || typeof value !== 'object' || value === null) return null;
  const found = names.filter((name) => (value as Data)[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, (value as Data)[name]]));
}

/** The JSON text of each event's data. Of a member that both halves have, the private one comes later, which JSON reads. */
export function segmentTexts(shared: string | null, lines: string, hidden: string | null = null): string[] {
  const open = lines.split('\n');
  const texts = shared === null ? open : open.map((text) => joined(shared, text));
  if (hidden === null) return texts;
  const closed = hidden.split('\n');
  return texts.map((text, at) => whole(text, closed[at] ?? ''));
}

function whole(open: string, closed: string): string {
  const half = closed.startsWith(ERASED) ? restText(open, closed.slice(ERASED.length + COMMITMENT_CHARACTERS)) : closed;
  return half === '' ? open : joined(open, half);
}

/** `left`: what stands behind the commitment. */
function restText(open: string, left: string): string {
  const rest = left === '' ? null : restBeside(objectIn(open), JSON.parse(left) as object | null);
  return rest === null ? '' : JSON.stringify(rest);
}

/** The text of an object with the members of both. */
function joined(first: string, then: string): string {
  if (then === '{}') return first;
  return first === '{}' ? then : `${first.slice(0, -1)},${then.slice(1)}`;
}

/**
 * The data of each event, as it was before it was stored. Parsing one text takes a third of the time of putting parsed
 * objects together.
 */
export function segmentData(shared: string | null, lines: string, hidden: string | null = null): object[] {
  const data = JSON.parse(`[${segmentTexts(shared, lines, hidden).join(',')}]`) as unknown[];
  if (!data.every(isObject)) throw notAnObject(data.find((one) => !isObject(one)));
  return data;
}

/** The object that a text is the JSON of. */
export function objectIn(text: string): object {
  const value = JSON.parse(text) as unknown;
  if (!isObject(value)) throw notAnObject(value);
  return value;
}

/** Null if the text is not JSON of one, because somebody changed it. */
export function objectOrNull(text: string): object | null {
  try {
    return objectIn(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const notAnObject = (value: unknown): TypeError =>
  new TypeError(`Expected an object, but got ${value === null ? 'null' : typeof value}`);
