/** `TaskRetryScheduled` in words: `Task retry scheduled`. */
export function eventName(type: string): string {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
