// What programs read instead of pages (llmstxt.org): the table of contents with the addresses of the Markdown, and all of the text in one file.
import { contents, linksOf } from './contents.mjs';

/** Where the site is published, without its base. */
const HOME = process.env.DOCS_HOME ?? 'https://waybill.dev';
const SAYS =
  'Waybill is a work queue for TypeScript, and for any language that speaks HTTP, that keeps the full history of every task.';

/** `texts` has the Markdown of the pages by their addresses. Generated pages that it lacks are left out. */
export function llms(texts) {
  const groups = contents().map((group) => ({
    title: group.title,
    links: linksOf(group).filter(({ address }) => texts.has(address)),
  }));
  const list = ({ title, address, says }) => `- [${title}](${HOME}${address}.md)${says ? `: ${says}` : ''}`;
  const short = groups.map(({ title, links }) => `## ${title}\n\n${links.map(list).join('\n')}\n`);
  const full = groups.flatMap(({ links }) =>
    links.map(({ address }) => `<!-- ${HOME}${address} -->\n\n${texts.get(address)}`),
  );
  return {
    'llms.txt': `# Waybill\n\n> ${SAYS}\n\n${short.join('\n')}`,
    'llms-full.txt': `# Waybill\n\n> ${SAYS}\n\n${full.join('\n\n')}`,
  };
}
