// Texts as they fit.

/** Lines of `width` characters at most. Breaks at blanks, and within a word only where it is longer than a line. */
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

/** One line of `width` characters at most. */
export function shortened(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** What steers a terminal, or the direction that a line is read in, or breaks it. */
const STEERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Without what steers a terminal: texts come from whoever handed a task in, and from what its handler met. Its lines stay. */
export const harmless = (text: string): string =>
  text.replaceAll(STEERS, (character) => (character === '\n' ? character : '�'));

/** On one line, too: what stands at the beginning of the next would be taken for ours. */
export const onOneLine = (text: string): string => harmless(text.replaceAll(/\s*\n\s*/g, ' ⏎ '));

/** JSON on one line. What steers a terminal is escaped, so that it is the same document. */
export const jsonLine = (thing: unknown): string =>
  JSON.stringify(thing).replaceAll(
    STEERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
