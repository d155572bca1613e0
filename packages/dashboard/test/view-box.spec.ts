import { describe, expect, it } from '@jest/globals';
import { firstSight, fitted, moved, showing, zoomed } from '../src/graph/view-box.js';

const WINDOW = { width: 800, height: 400 };
const SMALL = { width: 200, height: 100 };
const LARGE = { width: 4_000, height: 300 };

describe('what is in sight of a graph', () => {
  it('is all of a small one in the middle, not larger than it is', () => {
    expect(fitted(SMALL, WINDOW)).toEqual({ x: -300, y: -150, width: 800, height: 400 });
    expect(firstSight(SMALL, WINDOW)).toEqual(fitted(SMALL, WINDOW));
  });

  it('is at first the beginning of one that nobody could read, and all of it on demand', () => {
    const first = firstSight(LARGE, WINDOW);
    expect(first.x).toBeLessThanOrEqual(0);
    expect(first.width).toBeCloseTo(800 / 0.6);
    const all = fitted(LARGE, WINDOW);
    expect([all.x < 0, all.x + all.width > LARGE.width]).toEqual([true, true]);
  });

  it('is at first no column of which a part is cut off, on the window of a phone', () => {
    const PHONE = { width: 364, height: 480 };
    const first = firstSight(LARGE, PHONE, [190, 438, 686, 934]);
    expect(first.x + first.width).toBeGreaterThan(438);
    expect(first.x + first.width).toBeLessThan(438 + 64);
    expect(first.width / first.height).toBeCloseTo(364 / 480);
  });

  it('is at first as much as can be read of a column that is wider than the window', () => {
    expect(firstSight(LARGE, WINDOW, [2_000]).width).toBeCloseTo(800 / 0.6);
  });

  it('is closer by zooming, around the point that stays, and no closer than people look', () => {
    const box = fitted(LARGE, WINDOW);
    const closer = zoomed(box, 0.5, LARGE, WINDOW, { x: 0, y: 0 });
    expect([closer.x, closer.y]).toEqual([box.x, box.y]);
    expect(closer.width).toBeCloseTo(box.width / 2);
    expect(zoomed(box, 1e-6, LARGE, WINDOW).width).toBeCloseTo(800 / 2.5);
    expect(zoomed(box, 1e6, LARGE, WINDOW).width).toBeCloseTo(box.width * 2);
  });

  it('keeps its shape by zooming', () => {
    const { width, height } = zoomed(fitted(LARGE, WINDOW), 0.3, LARGE, WINDOW);
    expect(width / height).toBeCloseTo(2);
  });

  it('is moved by shares of the window', () => {
    const box = { x: 0, y: 0, width: 100, height: 50 };
    expect(moved(box, 0.1, -0.2)).toEqual({ x: 10, y: -10, width: 100, height: 50 });
  });

  it('is moved only as far as a node that gets the focus needs', () => {
    const box = { x: 0, y: 0, width: 100, height: 50 };
    expect(showing(box, { x: 10, y: 10, width: 20, height: 10 })).toEqual(box);
    expect(showing(box, { x: 150, y: 10, width: 20, height: 10 })).toEqual({ ...box, x: 70 });
    expect(showing(box, { x: -30, y: 80, width: 20, height: 10 })).toEqual({ ...box, x: -30, y: 40 });
  });
});
