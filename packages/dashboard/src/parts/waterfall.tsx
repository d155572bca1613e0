import { age } from '@waybill/client/words';
import type { Span } from '../spans.js';

const WIDTH = 1_000;
const HEIGHT = 34;

/** The smallest width that a pointer can still hit. */
const LEAST = 6;

const GOOD: readonly string[] = ['TaskSucceeded', 'TaskStepCompleted'];

/**
 * When a task waited and ran. The scale is logarithmic: beside a night of waiting, an attempt of one second would be
 * invisible on a linear one.
 */
export function Waterfall({ spans: all, nowMs }: { spans: readonly Span[]; nowMs: number }) {
  // Spans that begin in the future are not shown.
  const spans = all.filter(({ kind, fromMs }) => kind === 'running' || fromMs <= nowMs);
  if (spans.length === 0) return null;
  const lasts = spans.map(({ fromMs, toMs, lastedMs }) => lastedMs ?? Math.max(0, (toMs ?? nowMs) - fromMs));
  const weights = lasts.map((ms) => LEAST + Math.log10(1 + ms) * 10);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const widths = weights.map((weight) => (weight / whole) * WIDTH);
  return (
    <figure class="waterfall">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={spans.map((span, n) => told(span, lasts[n]!, nowMs)).join('; ')}
      >
        {spans.map((span, n) => (
          <g key={n} class={`${span.kind} ${classOf(span)}`}>
            <title>{told(span, lasts[n]!, nowMs)}</title>
            <rect
              x={widths.slice(0, n).reduce((sum, width) => sum + width, 0)}
              width={Math.max(1, widths[n]! - 1)}
              y="4"
              height="26"
              rx="3"
            />
          </g>
        ))}
      </svg>
      <figcaption>
        {spans.map((span, n) => (
          <span key={n} class={`${span.kind} ${classOf(span)}`}>
            {told(span, lasts[n]!, nowMs)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

const classOf = ({ kind, end }: Span): string =>
  kind !== 'running' ? '' : end === undefined ? 'open' : GOOD.includes(end) ? 'good' : 'bad';

function told({ kind, attempt, worker, toMs }: Span, ms: number, nowMs: number): string {
  if (kind === 'delayed') return toMs! > nowMs ? `due in ${age(toMs! - nowMs)}` : `not due for ${age(ms)}`;
  const time = `${age(ms)}${toMs === null ? ' so far' : ''}`;
  return kind === 'waiting' ? `waited ${time}` : `attempt ${attempt} by ${worker}, ${time}`;
}
