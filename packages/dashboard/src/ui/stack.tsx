import type { ReactNode } from 'react';
import css from './stack.module.css';

/** Parts below each other. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={css.stack}>{children}</div>;

/** Parts beside each other where there is room. */
export const Columns = ({ children }: { children: ReactNode }) => <div className={css.columns}>{children}</div>;

/** What the page is about, and beside it what is known of it. */
export const Sides = ({ children }: { children: ReactNode }) => <div className={css.sides}>{children}</div>;
