import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import type { ChartProps, Mark } from './chart-props.js';

const HEIGHT = 176;

/** The canvas of a chart. */
export function Plot(props: ChartProps & { readonly onPoint: (at: number | null) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { times, series } = props;
  const shape = [props.group, ...series.map(({ name }) => name)].join('\n');
  const plot = useRef<UPlot>(null);
  useEffect(() => {
    const element = place.current!;
    plot.current = new UPlot(optionsOf(latest, element.clientWidth), dataOf(latest.current), element);
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    const forgetTheme = onTheme(() => plot.current?.redraw(false));
    return () => {
      forgetTheme();
      resized.disconnect();
      plot.current?.destroy();
    };
  }, [shape]);
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [times, series]);
  return <div ref={place} />;
}

const dataOf = ({ times, series }: ChartProps): UPlot.AlignedData =>
  [times, ...series.map(({ values }) => values)] as UPlot.AlignedData;

type Latest = { readonly current: ChartProps & { readonly onPoint: (at: number | null) => void } };

function optionsOf(latest: Latest, width: number): UPlot.Options {
  const { series, group, shown, steps } = latest.current;
  const axis = {
    stroke: () => colourOf('--text-3'),
    font: '11px Inter Variable',
    grid: { stroke: () => colourOf('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    padding: [12, 8, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: group }, y: false, points: { size: 6 }, drag: { x: true, y: false, setScale: false } },
    scales: {
      // The last interval, too, has its width.
      x: { range: (of, least, most) => [least, most + stepOf(of.data[0])] },
      y: { range: (_, __, most) => [0, Math.max(1, most * 1.05)] },
    },
    axes: [
      { ...axis, size: 28, grid: { show: false }, values: (_, ticks) => timesOf(ticks) },
      {
        ...axis,
        size: 72,
        incrs: [...(steps ?? WHOLE)],
        values: (_, ticks) => ticks.map((tick) => (tick === 0 ? '0' : shown(tick))),
      },
    ],
    series: [
      {},
      ...series.map(({ name, colour, dashes }) => ({
        label: name,
        stroke: () => colourOf(colour),
        width: 1.75,
        dash: dashes && [...dashes],
        points: { show: true, size: 5, filter: alone },
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => latest.current.onPoint(cursor.idx ?? null)],
      setSelect: [(of) => selected(of, latest.current)],
      draw: [(of) => drawMarks(of, latest.current.marks ?? [])],
    },
  };
}

/** Steps of an axis whose values are whole. */
const WHOLE = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

const stepOf = (times: ArrayLike<number>): number => (times.length > 1 ? times[1]! - times[0]! : 0);

/** A value between two gaps would be no line: it is a point. */
const alone: UPlot.Series.Points.Filter = (of, at, isShown) => {
  if (!isShown) return null;
  const values = of.data[at]!;
  const isKnown = (index: number): boolean => (values[index] ?? null) !== null;
  return [...values.keys()].filter((index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1));
};

/** The colour of a token in the theme that is shown. */
function colourOf(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Calls when the pages get another theme, from the person or from the system. Returns how to stop that. */
function onTheme(changed: () => void): () => void {
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener('change', changed);
  };
}

const DAY_S = 86_400;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
const DATE = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** Times of the day, or days if the marks are that far apart. */
function timesOf(ticks: readonly number[]): string[] {
  const format = ticks.length > 1 && ticks[1]! - ticks[0]! >= DAY_S ? DATE : CLOCK;
  return ticks.map((tick) => format.format(tick * 1_000));
}

/** The height of a mark's number, in pixels. One that would lie on another is left out. */
const LABEL = 10;

/** The least width of a range that somebody meant to draw, in pixels. */
const LEAST = 8;

function selected(of: UPlot, { onRange }: ChartProps): void {
  const { left, width } = of.select;
  if (width >= LEAST && onRange) onRange(of.posToVal(left, 'x') * 1_000, of.posToVal(left + width, 'x') * 1_000);
  of.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function drawMarks(of: UPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = of;
  ctx.save();
  ctx.strokeStyle = colourOf('--accent');
  ctx.fillStyle = colourOf('--text-2');
  ctx.font = `${LABEL * devicePixelRatio}px Inter Variable`;
  ctx.textAlign = 'left';
  ctx.setLineDash([3, 3]);
  let free = bbox.left;
  for (const [n, { at }] of marks.entries()) {
    const x = of.valToPos(at / 1_000, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    if (x >= free) {
      const label = String(n + 1);
      const { width } = ctx.measureText(label);
      const gap = 2 * devicePixelRatio;
      // At the right edge of the canvas there is room only before the line.
      const place = x + gap + width > bbox.left + bbox.width ? x - gap - width : x + gap;
      ctx.fillText(label, place, bbox.top + LABEL * devicePixelRatio);
      free = x + width + 3 * gap;
    }
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
