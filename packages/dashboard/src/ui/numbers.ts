const WHOLE = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** All digits: `12,345`. */
export const whole = (value: number): string => WHOLE.format(value);

/** As few digits as a chart has room for: `12.3K`. */
export const short = (value: number): string => SHORT.format(value);

/** `1 task`, `122 tasks`. */
export const plural = (value: number, noun: string, nouns = `${noun}s`): string =>
  `${whole(value)} ${value === 1 ? noun : nouns}`;
