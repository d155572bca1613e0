import { useEffect, useSyncExternalStore } from 'react';
import { useMe } from './me.js';
import { keyOf, type Visit, visitsIn, withVisit } from './visit.js';

const STORED = 'waybill-visited';

const listeners = new Set<() => void>();

/** Stands on a page that shows the thing, and keeps in this browser that the person has seen it. */
export function Visited({ sort, id }: Visit): null {
  const person = usePerson();
  useEffect(() => {
    if (person !== undefined) store(person, withVisit(visitsIn(stored(), person), { sort, id }));
  }, [person, sort, id]);
  return null;
}

/** The pages that the person has seen in this browser, the last one first. */
export function useVisits(): readonly Visit[] {
  const text = useSyncExternalStore(listen, stored);
  const person = usePerson();
  return person === undefined ? [] : visitsIn(text, person);
}

/** Forgets all, whoever's they are. */
export const forgetVisits = (): void => localStorage.removeItem(STORED);

/** Forgets some visits of the person. */
export function forget(person: string, visits: readonly Visit[]): void {
  const gone = new Set(visits.map(keyOf));
  store(
    person,
    visitsIn(stored(), person).filter((visit) => !gone.has(keyOf(visit))),
  );
}

/** Who must not see what others have seen: the signed-in person, or else the key; undefined until the service has said so. */
export function usePerson(): string | undefined {
  const me = useMe();
  return me && (me.person ?? me.key?.name ?? '');
}

function store(of: string, visits: readonly Visit[]): void {
  localStorage.setItem(STORED, JSON.stringify({ of, visits }));
  for (const tell of listeners) tell();
}

const stored = (): string => localStorage.getItem(STORED) ?? '';

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
