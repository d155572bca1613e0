/** A line of a chart; null where nothing is known. */
export interface Series {
  readonly name: string;
  /** The name of a colour of `tokens.css`. */
  readonly colour: string;
  /** So that nobody needs the colour: every line of a chart has other dashes. */
  readonly dashes?: readonly number[];
  readonly values: readonly (number | null)[];
}

/** Something that happened at a time, as a numbered line across the chart. The page says beside the charts what the numbers are. */
export interface Mark {
  /** In milliseconds of the Unix epoch. */
  readonly at: number;
  readonly text: string;
}

export interface ChartProps {
  readonly title: string;
  /** What its values are, such as `tasks a minute`. */
  readonly unit: string;
  /** The beginnings of the intervals, in seconds of the Unix epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly marks?: readonly Mark[];
  /** A value as its axis and legend show it. */
  readonly shown: (value: number) => string;
  /** What may lie between the marks of its axis, the least first; 1, 2, 5, 10 … if absent. */
  readonly steps?: readonly number[] | undefined;
  /** Charts of one group show the same time under the pointer. */
  readonly group: string;
  /** What to do when somebody draws a range, in milliseconds. */
  readonly onRange?: (fromMs: number, toMs: number) => void;
}
