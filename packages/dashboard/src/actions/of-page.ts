import { useContext, useEffect } from 'react';
import { IsInHead } from '../ui/page-head.js';
import type { Action } from './action.js';

/** What can be done to one thing. */
export interface Doable {
  /** What it is done to, such as `queue mail`. */
  readonly subject: string;
  /** The queue that the commands stay in. */
  readonly queue?: string;
  readonly actions: readonly Action[];
}

let shown: Doable | null = null;

/** What can be done to what the page is about, for the palette; null if nothing can. */
export const ofPage = (): Doable | null => shown;

/** Tells the palette what can be done to what the page is about, for as long as it says so. */
export function useSaidOfPage(doable: Doable): void {
  const isOfPage = useContext(IsInHead);
  useEffect(() => {
    if (!isOfPage) return;
    shown = doable;
    return () => {
      if (shown === doable) shown = null;
    };
  });
}
