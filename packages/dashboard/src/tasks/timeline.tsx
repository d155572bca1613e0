import { classes } from '../ui/classes.js';
import { useNow } from '../ui/time.js';
import { duration } from '../ui/times.js';
import type { Span } from './spans.js';
import { type Placed, placed, ticksOf } from './timeline-scale.js';
import css from './timeline.module.css';

/** When a task waited and ran, on one linear axis on which long waits are folded. */
export function Timeline({ spans }: { spans: readonly Span[] }) {
  const now = useNow();
  const places = placed(
    spans.filter(({ kind, fromMs }) => kind === 'running' || fromMs <= now),
    now,
  );
  if (places.length === 0) return null;
  return (
    <figure aria-label={`Timeline: ${places.map(told).join('; ')}`}>
      <div className={css.line} aria-hidden="true">
        {places.map((place, at) => (
          <div
            key={at}
            className={classOf(place)}
            style={{ left: `${place.x * 100}%`, width: `${place.width * 100}%` }}
            title={told(place)}
          >
            {place.isFolded ? <span>{duration(place.ms)}</span> : null}
          </div>
        ))}
      </div>
      <div className={css.axis} aria-hidden="true">
        {ticksOf(places).map(({ x, ms }) => (
          <span key={ms} data-ms={ms} style={{ left: `${x * 100}%` }}>
            {x > LAST_LABEL ? null : ms === 0 ? '0' : duration(ms)}
          </span>
        ))}
      </div>
      <ul className={css.legend}>
        {places.map((place, at) => (
          <li key={at}>
            <span className={classes(classOf(place), css.swatch)} aria-hidden="true" />
            {told(place)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Text at a mark beyond this share of the line would stick out of a phone. */
const LAST_LABEL = 0.75;

/** A handler that waits for a signal or a time has not failed. */
const GOOD: ReadonlySet<string> = new Set(['TaskSucceeded', 'TaskStepCompleted', 'TaskWaited']);

export const classOf = ({ span: { kind, end }, isFolded }: Pick<Placed, 'span' | 'isFolded'>): string =>
  classes(
    css.span,
    kind === 'running' && (end === undefined ? css.running : GOOD.has(end) ? css.good : css.bad),
    isFolded && css.folded,
  );

/** Whether the worker was lost that made the attempt. */
export const isLost = ({ end }: Span): boolean => end === 'TaskLeaseExpired';

export function told({ span, ms, isFolded }: Pick<Placed, 'span' | 'ms' | 'isFolded'>): string {
  const { kind, attempt, worker, toMs } = span;
  const time = `${duration(ms)}${toMs === null ? ' so far' : ''}`;
  const fold = isFolded ? ' (folded)' : '';
  if (kind === 'delayed') return `not due for ${time}${fold}`;
  if (kind === 'waiting') return `waited ${time}${fold}`;
  return `attempt ${attempt} by ${worker}, ${time}${isLost(span) ? ', lost' : ''}`;
}
