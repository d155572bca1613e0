import type { ReactNode } from 'react';
import css from './tabs.module.css';

interface TabsProps {
  readonly about: string;
  /** Whether they stand in a line with other things, such as the title of a card. */
  readonly isInline?: boolean;
  readonly children: ReactNode;
}

/** Views of the same thing, as links: each has an address. */
export const Tabs = ({ about, isInline = false, children }: TabsProps) => (
  <nav className={isInline ? css.inline : css.tabs} aria-label={about}>
    {children}
  </nav>
);
