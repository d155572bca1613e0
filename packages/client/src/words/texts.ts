// Texts made to fit and made safe.

/** Lines of at most `width` characters. Breaks at spaces, and within a word only if it is longer than a line. */
export const wrapped = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => wrappedLine(line, width));

function wrappedLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const end = blank > 0 ? blank : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** One line of at most `width` characters. */
export function shortened(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** Characters that control a terminal, change the reading direction, or break a line. */
const STEERING_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Without characters that control a terminal, because anybody who enqueues a task can write such texts. Line breaks stay. */
export const harmless = (text: string): string =>
  text.replaceAll(STEERING_CHARACTERS, (character) => (character === '\n' ? character : '�'));

/** Also on one line, because readers would take the start of the next line for our own output. */
export const onOneLine = (text: string): string => harmless(text.replaceAll(/\s*\n\s*/g, ' ⏎ '));

/** JSON on one line. Characters that control a terminal are escaped, so that the document stays the same. */
export const jsonLine = (thing: unknown): string =>
  JSON.stringify(thing).replaceAll(
    STEERING_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
