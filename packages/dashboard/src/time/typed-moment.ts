/** What somebody typed, as the service takes it. A time of the day is the latest one that has passed. */
export function typedMoment(typed: string, now = new Date()): string {
  const text = typed.trim();
  if (/^\d+$/.test(text)) return text;
  const day = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (!day) return Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString();
  const at = new Date(now);
  at.setHours(Number(day[1]), Number(day[2]), Number(day[3] ?? 0), 0);
  if (at > now) at.setDate(at.getDate() - 1);
  return at.toISOString();
}
