/** The part of a drawing that is in sight, in its own units. */
export interface ViewBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How much is around a drawing that fits. */
const MARGIN = 12;

/** All of a drawing in a window of such a shape, never larger than it is. */
export function fitted(drawing: Size, window: Size): ViewBox {
  const scale = Math.min(1, window.width / (drawing.width + 2 * MARGIN), window.height / (drawing.height + 2 * MARGIN));
  const [width, height] = [window.width / scale, window.height / scale];
  return { x: (drawing.width - width) / 2, y: (drawing.height - height) / 2, width, height };
}

/** Smaller than this, nobody can read a node. */
const READABLE = 0.6;

/** All of a drawing or, if that could not be read, the columns on its left that fit whole. `columns`: where each of them ends. */
export function firstSight(drawing: Size, window: Size, columns: readonly number[] = []): ViewBox {
  const all = fitted(drawing, window);
  const most = window.width / READABLE;
  if (all.width <= most) return all;
  const width = columns.map((end) => end + 2 * MARGIN).findLast((one) => one <= most) ?? most;
  const height = (window.height / window.width) * width;
  return { x: -MARGIN, y: Math.max(-MARGIN, (drawing.height - height) / 2), width, height };
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The closest that people look, in pixels for a unit; and how far out, as a share of what fits. */
const CLOSEST = 2.5;
const FARTHEST = 0.5;

/** Closer (`factor` below 1) or farther, with the point (in shares of the window) where it is. */
export function zoomed(box: ViewBox, factor: number, drawing: Size, window: Size, at = { x: 0.5, y: 0.5 }): ViewBox {
  const most = fitted(drawing, window).width / FARTHEST;
  const width = Math.min(most, Math.max(window.width / CLOSEST, box.width * factor));
  const height = (width / box.width) * box.height;
  return { x: box.x + (box.width - width) * at.x, y: box.y + (box.height - height) * at.y, width, height };
}

/** Moved by shares of the window. */
export const moved = (box: ViewBox, byX: number, byY: number): ViewBox => ({
  ...box,
  x: box.x + byX * box.width,
  y: box.y + byY * box.height,
});

/** Moved as little as needed so that a place is in sight. */
export function showing(box: ViewBox, place: ViewBox): ViewBox {
  const x = Math.min(Math.max(box.x, place.x + place.width - box.width), place.x);
  const y = Math.min(Math.max(box.y, place.y + place.height - box.height), place.y);
  return { ...box, x, y };
}
