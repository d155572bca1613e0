// What Markdown of the repository needs to be a page of the site.
import { placeOf } from './places.mjs';

const CODE = /(^ *```[\s\S]*?^ *```$|`[^`\n]+`)/gm;
/** What pages say in HTML. Vue takes anything else between angle brackets for a component. */
const HTML = /<(?!\/?(?:picture|source|img|a|br|details|summary)\b|!--)/g;

/** Applies a change to what is not code. */
const outsideCode = (text, change) =>
  text
    .split(CODE)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');

/** Text in which Vue finds neither components nor expressions. */
export const plain = (text) =>
  outsideCode(text, (part) => part.replaceAll(HTML, '&lt;').replaceAll('{{', '&#123;&#123;'));

/** A file's text with the addresses of the site in its links. `onFile` is told which files those need besides pages. */
export function pageText(text, from, onFile) {
  const link = (before, target) => {
    const { address, file } = placeOf(target, from);
    if (file) onFile(file, address);
    return before + address;
  };
  // A link's text may be code, so that links are found before code is set aside.
  const linked = text
    .split(/(^ *```[\s\S]*?^ *```$)/gm)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replaceAll(/(\]\(|src(?:set)?=")([^)"\s]+)/g, (_, before, target) => link(before, target)),
    )
    .join('');
  return plain(inBothThemes(linked));
}

/** The site has a switch between light and dark, of which `<picture>` knows nothing. */
const inBothThemes = (text) =>
  text.replaceAll(
    /<picture>\s*<source [^>]*srcset="([^"]+)" \/>\s*<img src="([^"]+)" ([^>]*)\/>\s*<\/picture>/g,
    '<img class="in-light" src="$2" $3/><img class="in-dark" src="$1" $3/>',
  );

/** A row of a table: its cells have no line breaks and no bars of their own. */
export const row = (...cells) =>
  `| ${cells
    .map((cell) =>
      String(cell)
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll(/(?<!\\)\|/g, '\\|'),
    )
    .join(' | ')} |`;

export const table = (heads, rows) =>
  rows.length === 0
    ? ''
    : [row(...heads), row(...heads.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
