/** A pattern that refusals tell in words. */
export type Shape = RegExp & { readonly words: string };

export const shape = (pattern: RegExp, words: string): Shape => Object.assign(pattern, { words });
