import type { ReactNode } from 'react';
import css from './fold.module.css';

/** Content that few people look at, under its name. */
export const Fold = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <details className={css.fold}>
    <summary>{title}</summary>
    {children}
  </details>
);
