/** Adds a value to those of the key. */
export function add<T>(to: Map<string, T[]>, key: string, value: T): void {
  const known = to.get(key);
  if (known) known.push(value);
  else to.set(key, [value]);
}
