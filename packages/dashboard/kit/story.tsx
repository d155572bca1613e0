import type { ReactNode } from 'react';
import css from './kit.module.css';

/** How a component of `src/ui` looks in every state that it has. */
export interface Story {
  readonly title: string;
  /** The files of `src/ui` that it shows, without `.tsx`. */
  readonly of: readonly string[];
  readonly shows: () => ReactNode;
}

export const StoryView = ({ story: { title, of, shows: Shows } }: { story: Story }) => (
  <section className={css.story} aria-label={title} data-story={of.join(' ')}>
    <h2>{title}</h2>
    <div className={css.stage}>
      <Shows />
    </div>
  </section>
);

/** Things beside each other. */
export const Row = ({ children }: { children: ReactNode }) => <div className={css.row}>{children}</div>;
