import { useSyncExternalStore } from 'react';
import type { View } from './view.js';

const STORED = 'waybill-views';

const listeners = new Set<() => void>();

/** Keeps a view in this browser, in place of one of the same name. */
export const keepView = (view: View): void => store([...without(view.name), view]);

/** Forgets the view of this name. Its address still works. */
export const forgetView = (name: string): void => store(without(name));

/** The views that this browser keeps, by name. */
export const useViews = (): readonly View[] => viewsIn(useSyncExternalStore(listen, stored));

const without = (name: string): View[] => viewsIn(stored()).filter((view) => view.name !== name);

function store(views: readonly View[]): void {
  localStorage.setItem(STORED, JSON.stringify(views.toSorted((a, b) => a.name.localeCompare(b.name))));
  for (const tell of listeners) tell();
}

const stored = (): string => localStorage.getItem(STORED) ?? '[]';

/** Something else may have written it. */
export function viewsIn(text: string): View[] {
  try {
    const views = JSON.parse(text) as unknown;
    return Array.isArray(views) ? views.filter((view) => typeof view?.name === 'string') : [];
  } catch {
    return [];
  }
}

/** Other tabs keep views, too. */
function listen(tell: () => void): () => void {
  listeners.add(tell);
  addEventListener('storage', tell);
  return () => {
    listeners.delete(tell);
    removeEventListener('storage', tell);
  };
}
