import { describe, expect, it } from '@jest/globals';
import { newId } from '../../src/application/kernel/new-id.js';

describe('new ids', () => {
  const before = Date.now();
  const ids = Array.from({ length: 3_000 }, newId);

  it('are UUIDs of version 7 in their canonical form, with the time', () => {
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(ids[0]!.replace('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
  });

  it('are each greater than those before it', () => {
    expect(ids).toEqual([...new Set(ids)].toSorted());
  });

  it('use every digit at every place that is random', () => {
    const digits = (place: number) => new Set(ids.map((id) => id[place])).size;
    for (const place of [28, 29, 30, 31, 32, 33, 34, 35]) expect(digits(place)).toBe(16);
  });
});
