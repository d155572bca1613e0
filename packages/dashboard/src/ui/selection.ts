import { useState } from 'react';
import type { Selection } from './table.js';

interface Chosen extends Selection {
  readonly keys: readonly string[];
  readonly clear: () => void;
}

/** Which of these rows are chosen. One that is gone is not chosen any more. */
export function useSelection(keys: readonly string[]): Chosen {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const toggle = (key: string, isRange: boolean): void => {
    const isOn = !chosen.has(key);
    choose((before) => changed(before, isRange && last !== null ? between(keys, last, key) : [key], isOn));
    setLast(key);
  };
  return {
    keys: keys.filter((key) => chosen.has(key)),
    has: (key) => chosen.has(key),
    toggle,
    clear: () => choose(new Set()),
    isWhole: keys.length > 0 && keys.every((key) => chosen.has(key)),
    toggleAll: () => choose(keys.every((key) => chosen.has(key)) ? new Set() : new Set(keys)),
  };
}

function changed(before: ReadonlySet<string>, keys: readonly string[], isOn: boolean): ReadonlySet<string> {
  const after = new Set(before);
  for (const key of keys) {
    if (isOn) after.add(key);
    else after.delete(key);
  }
  return after;
}

/** The keys from one to another, in either direction. */
export function between(keys: readonly string[], one: string, other: string): readonly string[] {
  const [from, to] = [keys.indexOf(one), keys.indexOf(other)];
  if (from === -1) return [other];
  return keys.slice(Math.min(from, to), Math.max(from, to) + 1);
}
