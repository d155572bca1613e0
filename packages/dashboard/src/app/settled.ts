import { useEffect, useState } from 'react';

const PAUSE_MS = 400;

/**
 * A value that is typed, once nobody has typed for a moment. What follows from it must not appear when the field is left: it
 * would move the button under the pointer between the press and its release, and the click would be lost.
 */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [value]);
  return settled;
}
