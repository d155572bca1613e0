import type { ReactNode } from 'react';
import css from './tabs.module.css';

/** Views of the same thing, as links: each has an address. */
export const Tabs = ({ about, children }: { about: string; children: ReactNode }) => (
  <nav className={css.tabs} aria-label={about}>
    {children}
  </nav>
);
