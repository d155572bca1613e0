import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { firstSight, fitted, moved, type Size, type ViewBox, zoomed } from './view-box.js';

const [CLOSER, FARTHER] = [0.8, 1.25];
/** How far an arrow key moves, as a share of the window. */
const ARROW = 0.15;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-ARROW, 0],
  ArrowRight: [ARROW, 0],
  ArrowUp: [0, -ARROW],
  ArrowDown: [0, ARROW],
};

interface ColumnedDrawing extends Size {
  /** Where each column ends, from the left. */
  readonly columns: readonly number[];
}

/** What is in sight of a drawing: as much as can be read at first, and all of it by `fit`; moved by dragging and arrows, zoomed by the wheel, `+` and `-`. */
export function useViewBox(window: RefObject<HTMLDivElement | null>, drawing: ColumnedDrawing) {
  const [size, setSize] = useState<Size>({ width: 800, height: 480 });
  const [chosen, choose] = useState<ViewBox | null>(null);
  const box = chosen ?? firstSight(drawing, size, drawing.columns);
  const latest = useRef({ box, size, drawing });
  latest.current = { box, size, drawing };
  useEffect(() => watchSize(window.current!, setSize), []);
  useEffect(() => {
    const element = window.current!;
    // Not React's: its listener is passive, and the page would scroll, too.
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
      const { box: before, size: of, drawing: drawn } = latest.current;
      choose(zoomed(before, event.deltaY < 0 ? CLOSER : FARTHER, drawn, of, at));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);
  const zoom = (factor: number): void => choose(zoomed(box, factor, drawing, size));
  const onKeyDown = (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key];
    if (arrow) choose(moved(box, ...arrow));
    else if (event.key === '+' || event.key === '=') zoom(CLOSER);
    else if (event.key === '-') zoom(FARTHER);
    else if (event.key === '0') choose(fitted(drawing, size));
    else return;
    event.preventDefault();
  };
  const drag = useDrag((dx, dy) => choose(moved(latest.current.box, -dx / size.width, -dy / size.height)));
  return {
    box,
    show: choose,
    closer: () => zoom(CLOSER),
    farther: () => zoom(FARTHER),
    fit: () => choose(fitted(drawing, size)),
    handlers: { onKeyDown, ...drag },
  };
}

function watchSize(element: HTMLElement, onSize: (size: Size) => void): () => void {
  const resized = new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width > 0 && height > 0) onSize({ width, height });
  });
  resized.observe(element);
  return () => resized.disconnect();
}

/** A click moves the pointer a little, too. */
const LEAST_PX = 4;

/** Tells by how many pixels the pointer was dragged. What was dragged is not clicked. */
function useDrag(onDrag: (dx: number, dy: number) => void) {
  const from = useRef<{ x: number; y: number; isDrag: boolean } | null>(null);
  return {
    onPointerDown: ({ clientX: x, clientY: y, button }: PointerEvent) => {
      if (button === 0) from.current = { x, y, isDrag: false };
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent) => {
      const start = from.current;
      if (!start || (!start.isDrag && Math.hypot(x - start.x, y - start.y) < LEAST_PX)) return;
      onDrag(x - start.x, y - start.y);
      from.current = { x, y, isDrag: true };
    },
    onPointerUp: () => {
      if (!from.current?.isDrag) from.current = null;
    },
    onPointerLeave: () => {
      from.current = null;
    },
    onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => {
      if (from.current?.isDrag) {
        event.preventDefault();
        event.stopPropagation();
      }
      from.current = null;
    },
  };
}
