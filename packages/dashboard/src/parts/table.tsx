import type { ComponentChildren } from 'preact';
import { Wide } from './wide.js';

/** The title of a column, which may be one of numbers. */
export type Title = string | { readonly numbers: string };

interface TableProps {
  readonly about: string;
  readonly titles: readonly Title[];
  /** A cell before the titles. */
  readonly before?: ComponentChildren;
  /** The rows. */
  readonly children: ComponentChildren;
}

export const Table = ({ about, titles, before, children }: TableProps) => (
  <Wide about={about}>
    <table>
      <thead>
        <tr>
          {before}
          {titles.map(titleOf)}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Wide>
);

function titleOf(title: Title) {
  const [name, isNumber] = typeof title === 'string' ? [title, false] : [title.numbers, true];
  return (
    <th key={name} scope="col" class={isNumber ? 'number' : undefined}>
      {name}
    </th>
  );
}
