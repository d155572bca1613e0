import { sidebar } from '../contents.mjs';
import { anchorOf } from '../places.mjs';

/** A diagram is drawn in the browser, by `theme/Diagram.vue`. */
function withDiagrams(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, at, ...rest) =>
    tokens[at].info.trim() === 'mermaid'
      ? `<Diagram code="${encodeURIComponent(tokens[at].content)}" />`
      : fence(tokens, at, ...rest);
}

/**
 * Whoever searches wants to do something. Why it is so, since when, and each type come after that. An id begins with the base, which
 * this cannot know: browsers get its text alone.
 */
const boostDocument = (id) => (/\/(adr|sdk)\/|\/changelog(#|$)/.test(id) ? 0.3 : 1);

const BASE = process.env.DOCS_BASE ?? '/';

export default {
  title: 'Waybill',
  description: 'A work queue that keeps the full history of every task',
  srcDir: '.pages',
  // The Markdown that programs read, for llms.txt.
  srcExclude: ['public/**'],
  // Those of a service on the reader's own machine.
  ignoreDeadLinks: 'localhostLinks',
  outDir: 'dist',
  base: BASE,
  cleanUrls: true,
  lang: 'en',
  markdown: { anchor: { slugify: anchorOf }, config: withDiagrams },
  // The largest pages list every shape of the API, and every call of the client.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}icon.svg` }]],
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    sidebar: sidebar(),
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'Guides', link: '/contents' },
      { text: 'API', link: '/api/' },
      { text: 'TypeScript', link: '/sdk/' },
      { text: 'Problems', link: '/reference/problems' },
      { text: 'Changes', link: '/changelog' },
    ],
  },
};
