import { createContext, useContext, useSyncExternalStore } from 'react';
import { briefTime, exactTime, relativeTime } from './times.js';
import { serviceNow } from '../app/clock.js';

const everySecond = (tell: () => void): (() => void) => {
  const timer = setInterval(tell, 1_000);
  return () => clearInterval(timer);
};

const Standing = createContext<number | null>(null);

/** What is within it stands at this time, in milliseconds, or goes with the clock (null). */
export const StandsAt = Standing.Provider;

/** The time that the page stands at, or the service's clock in whole seconds. Its readers are drawn again when it moves. */
export function useNow(): number {
  const now = useSyncExternalStore(everySecond, () => Math.floor(serviceNow() / 1_000) * 1_000);
  return useContext(Standing) ?? now;
}

/** How long ago a time is; the exact one on hover and for readers of screens. */
export function Ago({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span>–</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(Date.parse(at), now)}
    </time>
  );
}

/** For how long something has been so; the time since when on hover and for readers of screens. */
export function ForSince({ at }: { at: string }) {
  const text = relativeTime(Date.parse(at), useNow()).replace(/ ago$/, '');
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
