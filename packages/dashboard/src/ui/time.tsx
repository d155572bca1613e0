import { createContext, useContext, useSyncExternalStore } from 'react';
import { briefTime, exactTime, relativeTime } from './times.js';
import { serviceNow } from '../app/clock.js';

const told = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** All by one timer: with one each, the times of a long list would draw it anew sixty times a second, one after the other. */
function everySecond(tell: () => void): () => void {
  told.add(tell);
  timer ??= setInterval(() => told.forEach((one) => one()), 1_000);
  return () => {
    told.delete(tell);
    if (told.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The service's clock in whole seconds. */
const thisSecond = (): number => Math.floor(serviceNow() / 1_000) * 1_000;

const Standing = createContext<number | null>(null);

/** What is within it stands at this time, in milliseconds, or goes with the clock (null). */
export const StandsAt = Standing.Provider;

/** The time that the page stands at, or the service's clock in whole seconds. Its readers are drawn again when it moves. */
export function useNow(): number {
  const now = useSyncExternalStore(everySecond, thisSecond);
  return useContext(Standing) ?? now;
}

/** What is said of the time that the page stands at. Its readers are drawn again only when that is something else. */
function useSaidNow(said: (now: number) => string): string {
  const standing = useContext(Standing);
  return useSyncExternalStore(everySecond, () => said(standing ?? thisSecond()));
}

/** How long ago a time is; the exact one on hover and for readers of screens. */
export function Ago({ at }: { at: string | null }) {
  const text = useSaidNow((now) => (at === null ? '–' : relativeTime(Date.parse(at), now)));
  if (at === null) return <span>{text}</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  );
}

/** For how long something has been so; the time since when on hover and for readers of screens. */
export function ForSince({ at }: { at: string }) {
  const text = useSaidNow((now) => relativeTime(Date.parse(at), now).replace(/ ago$/, ''));
  return (
    <time dateTime={at} title={`since ${exactTime(at)}`}>
      {text === 'now' ? 'just now' : `for ${text}`}
    </time>
  );
}

/** A time with its day; with its zone, and in UTC, on hover. */
export function At({ at }: { at: string | null }) {
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={`${exactTime(at)}, ${at}`}>
      {briefTime(at)}
    </time>
  );
}
