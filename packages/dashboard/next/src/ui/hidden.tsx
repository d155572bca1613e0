import type { ReactNode } from 'react';
import css from './hidden.module.css';

/** Words for people who do not see the picture beside them. */
export const Hidden = ({ children }: { children: ReactNode }) => <span className={css.hidden}>{children}</span>;
