import { TIME_STEPS } from '../ui/time-steps.js';
import type { Span } from './spans.js';

/** A span with its place on the line. */
export interface Placed {
  readonly span: Span;
  readonly ms: number;
  /** In shares of the width. */
  readonly x: number;
  readonly width: number;
  /** Whether it is drawn shorter than it was, and says how long it was. */
  readonly isFolded: boolean;
}

/** A mark of the axis: where it stands, and how much time that is drawn to scale lies before it. */
export interface Tick {
  readonly x: number;
  readonly ms: number;
}

/** A wait longer than this share of the whole is folded, so that a night of waiting does not hide an attempt of a second. */
const FOLDS_FROM = 0.1;
/** The width of a folded wait. */
const FOLD = 0.06;

/** Places spans on one linear axis. Everything but folded waits is as wide as it was long, compared with everything else. */
export function placed(spans: readonly Span[], nowMs: number): Placed[] {
  const lengths = spans.map((span) => lengthOf(span, nowMs));
  const whole = lengths.reduce((sum, ms) => sum + ms, 0);
  const folds = spans.map(
    ({ kind }, at) => kind !== 'running' && spans.length > 1 && lengths[at]! > whole * FOLDS_FROM,
  );
  const toScale = lengths.reduce((sum, ms, at) => sum + (folds[at] ? 0 : ms), 0);
  const room = 1 - FOLD * folds.filter(Boolean).length;
  let x = 0;
  return spans.map((span, at) => {
    const ms = lengths[at]!;
    const width = folds[at] ? FOLD : toScale === 0 ? 0 : (ms / toScale) * room;
    const place = { span, ms, x, width, isFolded: folds[at]! };
    x += width;
    return place;
  });
}

const lengthOf = ({ fromMs, toMs, lastedMs }: Span, nowMs: number): number =>
  lastedMs ?? Math.max(0, (toMs ?? nowMs) - fromMs);

/** Marks at round times of the attempts and short waits: folded waits take none of it. */
export function ticksOf(places: readonly Placed[], most = 5): Tick[] {
  const shown = places.filter(({ isFolded }) => !isFolded);
  const whole = shown.reduce((sum, { ms }) => sum + ms, 0);
  if (whole === 0) return [];
  return roundTicks(whole, most).map((ms) => ({ ms, x: placeOf(ms, shown) }));
}

/** Round times from 0 up to a length. */
export function roundTicks(whole: number, most = 5): number[] {
  const step = TIME_STEPS.find((step) => step >= whole / most) ?? whole;
  return Array.from({ length: Math.floor(whole / step) + 1 }, (_, n) => n * step);
}

/** Where so much time to scale has passed. */
function placeOf(ms: number, shown: readonly Placed[]): number {
  let before = 0;
  for (const { x, width, ms: length } of shown) {
    if (ms <= before + length) return x + (length === 0 ? 0 : ((ms - before) / length) * width);
    before += length;
  }
  return 1;
}
