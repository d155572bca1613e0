/** Version, trace id, parent id, flags. Versions after 00 may append more. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-[\x21-\x7e]*)?$/;

/** As long as any version so far could need. What is longer is not stored with every event of a request. */
const LONGEST = 200;

/**
 * The trace context of a request, as the W3C's recommendation has it
 * (https://www.w3.org/TR/trace-context/#traceparent-header). Null if there is none, more than one, or one that a receiver
 * must ignore: a request never fails for the sake of its trace.
 */
export function traceparentIn(given: string | readonly string[] | undefined): string | null {
  if (typeof given !== 'string' || given.length > LONGEST) return null;
  const [, version, trace, parent, more] = TRACEPARENT.exec(given) ?? [];
  if (version === undefined || version === 'ff' || isZero(trace!) || isZero(parent!)) return null;
  return version === '00' && more !== undefined ? null : given;
}

const isZero = (digits: string): boolean => /^0+$/.test(digits);
