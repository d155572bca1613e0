import { useIsFetching } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useState } from 'react';
import { serviceNow } from '../app/clock.js';
import { IconButton } from '../ui/button.js';
import { whole } from '../ui/numbers.js';
import { Sparkline } from '../ui/sparkline.js';
import { exactTime } from '../ui/times.js';
import { useGo, useMoment } from './moment.js';
import { around, type Span, SPANS, spanOf } from './stops.js';
import css from './time-strip.module.css';
import { useCourse, useMomentMs, useStops } from './time.queries.js';

/** How long a moment is shown at least while the past is played. */
const PACE_MS = 1_000;

/** In the past: from event to event of what is shown, or step by step, by hand or by itself, and anywhere within a range. */
export function TimeStrip() {
  const moment = useMoment();
  const atMs = useMomentMs();
  if (moment === undefined) return null;
  return <Strip moment={moment} atMs={atMs ?? serviceNow()} />;
}

interface StripProps {
  readonly moment: string;
  readonly atMs: number;
}

function Strip({ moment, atMs }: StripProps) {
  const span = spanOf(useSearch({ strict: false }).span);
  const { before, after, words } = useSteps(moment, atMs, span);
  const go = useGo();
  const [isPlaying, play] = usePlaying(after);
  return (
    <div className={css.strip} role="group" aria-label="Go through the past">
      <IconButton label={`${words} before`} disabled={before === null} onClick={() => go(before!)}>
        <SkipBack aria-hidden="true" />
      </IconButton>
      <IconButton label={isPlaying ? 'Stop' : 'Play'} onClick={() => play(!isPlaying)}>
        {isPlaying ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      </IconButton>
      <IconButton label={`${words} after`} disabled={after === null} onClick={() => go(after!)}>
        <SkipForward aria-hidden="true" />
      </IconButton>
      <Scrubber atMs={atMs} span={span} />
      <SpanChoice span={span} />
    </div>
  );
}

/** Where the arrows lead. */
function useSteps(moment: string, atMs: number, span: Span) {
  const stops = useStops();
  if (stops) {
    const { before, after } = around(stops, moment);
    return { before: before?.position ?? null, after: after?.position ?? null, words: 'Event' };
  }
  const { step, words } = SPANS[span];
  const next = atMs + step;
  return { before: isoOf(atMs - step), after: next < serviceNow() ? isoOf(next) : null, words };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Goes on by itself while it plays, once the page shows the moment; at the end of the past, the page is live again. */
function usePlaying(after: string | null) {
  const [isPlaying, play] = useState(false);
  const isLoading = useIsFetching() > 0;
  const go = useGo();
  useEffect(() => {
    if (!isPlaying || isLoading) return;
    const timer = setTimeout(() => go(after ?? undefined, true), PACE_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, isLoading, after]);
  return [isPlaying, play] as const;
}

/** So many places has the scrubber. */
const PLACES = 240;

/** Any moment of the range that ends now. It goes there when it is let go. */
function Scrubber({ atMs, span }: { readonly atMs: number; readonly span: Span }) {
  const go = useGo();
  const [held, hold] = useState<number | null>(null);
  const { ms } = SPANS[span];
  const begin = serviceNow() - ms;
  const timeAt = (place: number): number => begin + (place / PLACES) * ms;
  const place = held ?? Math.min(PLACES, Math.max(0, Math.round(((atMs - begin) / ms) * PLACES)));
  const letGo = (): void => {
    if (held !== null) go(held === PLACES ? undefined : isoOf(timeAt(held)));
    hold(null);
  };
  return (
    <label className={css.scrubber}>
      <PastCourse span={span} />
      <input
        type="range"
        min={0}
        max={PLACES}
        value={place}
        aria-label="Moment"
        aria-valuetext={held === null ? exactTime(atMs) : exactTime(timeAt(held))}
        onChange={({ target }) => hold(Number(target.value))}
        onPointerUp={letGo}
        onKeyUp={letGo}
      />
      {held === null ? null : <output>{exactTime(timeAt(held))}</output>}
    </label>
  );
}

/** What happened when, over the scrubber: where to look. */
function PastCourse({ span }: { readonly span: Span }) {
  const course = useCourse(span);
  if (!course) return null;
  const { succeeded, failed } = course;
  const about = `The last ${span}: ${whole(sumOf(succeeded))} succeeded, ${whole(sumOf(failed))} failed`;
  return (
    <span className={css.course}>
      <Sparkline values={succeeded} alarms={failed} about={about} />
    </span>
  );
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function SpanChoice({ span }: { readonly span: Span }) {
  const navigate = useNavigate();
  const choose = (chosen: string): void =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, span: spanOf(chosen) }), replace: true });
  return (
    <select className={css.span} aria-label="Range" value={span} onChange={({ target }) => choose(target.value)}>
      {Object.keys(SPANS).map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}
