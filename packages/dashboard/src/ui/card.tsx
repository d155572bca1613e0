import { type ReactNode, useId } from 'react';
import { classes } from './classes.js';
import css from './card.module.css';

interface CardProps {
  readonly title: string;
  /** At the right of the title, such as a count or a link to the whole. */
  readonly aside?: ReactNode;
  /** Whether the content reaches the edges, as tables do. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page under a heading of its own. */
export function Card({ title, aside, flush = false, children }: CardProps) {
  const id = useId();
  return (
    <section className={css.card} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        {aside ? <div className={css.aside}>{aside}</div> : null}
      </header>
      <div className={classes(css.body, flush && css.flush)}>{children}</div>
    </section>
  );
}
