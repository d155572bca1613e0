import type { ComponentChildren } from 'preact';

/** What may be wider than the window: it scrolls, also by keyboard, and the rest of the page stays. */
export const Wide = ({ about, children }: { about: string; children: ComponentChildren }) => (
  <div class="wide" role="region" aria-label={about} tabIndex={0}>
    {children}
  </div>
);
