import { classes } from './classes.js';
import css from './pill.module.css';

/** The states that somebody should look at. All others are mute. */
const ALARMS: ReadonlySet<string> = new Set(['failed', 'unattended', 'stopped', 'open', 'gone']);

interface PillProps {
  /** A state of a task, queue, batch or failure group; its colour and shape. */
  readonly state: string;
  /** What the queue's own words call it. */
  readonly word?: string;
  readonly label?: string;
}

/** A state as a shape, a colour and a word, so that no reader needs the colour. */
export const Pill = ({ state, word, label = state }: PillProps) => (
  <span className={classes(css.pill, css[state], ALARMS.has(state) && css.alarm)}>
    <span className={css.dot} aria-hidden="true" />
    {label}
    {word && word.toLowerCase() !== label ? <span className={css.word}>{word}</span> : null}
  </span>
);
