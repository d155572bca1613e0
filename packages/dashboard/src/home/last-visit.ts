const STORED = 'waybill-visits';

/** A page that is loaded again within this time is the same visit. */
const SAME_VISIT_MS = 30 * 60_000;

interface Visits {
  readonly current: string;
  readonly last: string | null;
}

/** When this browser was here before this visit; null on the first one. Remembers that it is here now. */
export function lastVisit(now: Date): string | null {
  const known = stored();
  const at = now.toISOString();
  const isSame = known !== null && now.getTime() - Date.parse(known.current) < SAME_VISIT_MS;
  const visits = { current: at, last: isSame ? known.last : (known?.current ?? null) };
  localStorage.setItem(STORED, JSON.stringify(visits));
  return visits.last;
}

function stored(): Visits | null {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? 'null') as Visits | null;
  } catch {
    return null; // something else wrote it: this is a first visit
  }
}
