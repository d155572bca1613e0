/** The names of classes that apply, as one text. */
export const classes = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');
