/** The service's clock, by which the times in its answers are. A browser's clock may be an hour off. */
export const serviceNow = (): number => Date.now() + aheadMs;

let aheadMs = 0;

/** The platform's `fetch`. It also compares the clocks with every answer. */
export async function timed(...request: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...request);
  aheadMs = aheadOf(answer.headers.get('date'), Date.now());
  return answer;
}

/**
 * How far the service's clock is ahead. The header has whole seconds and the answer took time, so a small difference
 * counts as none.
 */
export function aheadOf(date: string | null, nowMs: number): number {
  const ahead = Date.parse(date ?? '') + 500 - nowMs;
  return Math.abs(ahead) > 2_000 ? ahead : 0;
}
