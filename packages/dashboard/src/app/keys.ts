import { useRouter } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { tinykeys } from 'tinykeys';
import { goToRow, selectRow } from './row-keys.js';
import { PAGES } from './pages.js';

interface Keys {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Keys do nothing while somebody types, or a dialog is open. */
const unlessTyping = (act: () => void) => (event: KeyboardEvent) => {
  if (isTyping(event) || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  act();
};

/** The keys that every page has, from the moment that it is seen. */
export function useKeys({ onSearch, onHelp }: Keys): void {
  const router = useRouter();
  useLayoutEffect(() => {
    const pages = PAGES.map(({ key, to }) => [`g ${key}`, unlessTyping(() => void router.navigate({ to }))] as const);
    return tinykeys(window, {
      ...Object.fromEntries(pages),
      '$mod+k': (event) => (event.preventDefault(), onSearch()),
      '/': unlessTyping(onSearch),
      j: unlessTyping(() => goToRow(1)),
      k: unlessTyping(() => goToRow(-1)),
      x: unlessTyping(selectRow),
      'Shift+?': unlessTyping(onHelp),
    });
  }, []);
}

/** All of them, for the help. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['⌘ K or Ctrl K', 'Search, and go to anything that has a name'],
  ['/', 'Search'],
  ...PAGES.map(({ key, name }) => [`g ${key}`, `Go to ${name}`] as const),
  ['j and k', 'The next and the previous row of a list'],
  ['x', 'Select the row'],
  ['Enter', 'Open the row'],
  ['Escape', 'Close what is open'],
  ['?', 'This help'],
];
