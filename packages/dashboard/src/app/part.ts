import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { answered, refused } from './reach.js';

/** How long to wait before a part that did not come is asked for again. */
const AGAIN_MS = 3_000;

/**
 * Loads a part of the pages. While the service does not answer, it waits for it instead of failing: the page says so, and goes on by
 * itself. If the service answers but has no such part, it is another build: that is an error.
 */
export async function arrived<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await isThere()) throw error;
      refused(error as Error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** Whether the service answers. */
async function isThere(): Promise<boolean> {
  try {
    await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
    answered();
    return true;
  } catch {
    return false;
  }
}

/** A component that is loaded when it is shown first. */
export const part = <P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => ({ default: await arrived(load) }));
