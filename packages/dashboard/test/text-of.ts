import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';

/** The page's text as a person reads it. */
export const textOf = (page: VNode): string =>
  render(page)
    .replaceAll(/<(h\d|p|dt|dd|tr|li|th|td|button)\b/g, '\n<$1')
    .replaceAll(/<[^>]+>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
