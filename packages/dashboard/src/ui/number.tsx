import { classes } from './classes.js';
import { whole } from './numbers.js';
import css from './number.module.css';

/** A count. Zero is mute; what somebody should look at is not. Nothing if it is not known. */
export const Count = ({ value, isAlarm = false }: { value: number | null | undefined; isAlarm?: boolean }) =>
  typeof value === 'number' ? (
    <span className={classes(css.number, value === 0 ? css.zero : isAlarm && css.alarm)} data-zero={value === 0}>
      {whole(value)}
    </span>
  ) : null;

/** There is no figure, in a cell that would be empty. */
export const None = () => (
  <span className={css.zero} data-zero="true">
    –
  </span>
);
