const NUMBERED = /^(.+)\/(\d{1,9})$/;

/** The number of a log among those that came one after another: `name`, `name/2`, `name/3`. */
export const numberOf = (name: string): number => Number(NUMBERED.exec(name)?.[2] ?? 1);

/** The name of the log after this one. */
export const nextLogName = (name: string): string => `${NUMBERED.exec(name)?.[1] ?? name}/${numberOf(name) + 1}`;
