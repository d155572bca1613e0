import css from './short-id.module.css';

/** How many characters of an id people see. Ids begin with their time, so the end tells them apart; searches accept it. */
export const SHORT = 8;

/** The end of an id; the whole one on hover. */
export const ShortId = ({ id }: { id: string }) => (
  <span className={css.id} title={id}>
    {id.slice(-SHORT)}
  </span>
);
