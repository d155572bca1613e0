import { relativeTime } from '@waybill/client/words';

/** How things look on a stream. Without a terminal, or with NO_COLOR, texts have no colours. */
export interface Paint extends Colours {
  bold(text: string): string;
  /** The text in the colour of the state that it begins with, such as 'failed' or 'active, no worker'. */
  state(text: string): string;
  /** A type of events in the colour of what it means for the task. */
  event(text: string): string;
  /** How long ago a time is, such as '4 min ago'; null where times stay as they are: without a terminal, and with `--utc`. */
  ago(time: string): string | null;
}

interface Colours {
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

type Colour = keyof Colours;

export function paintFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv, utc = false): Paint {
  const coloured = stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  const by = (on: number, off: number) => (text: string) => (coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  const colours = { dim: by(2, 22), red: by(31, 39), green: by(32, 39), yellow: by(33, 39), cyan: by(36, 39) };
  const inColour = (colour: Colour | null, text: string): string => (colour === null ? text : colours[colour](text));
  return {
    bold: by(1, 22),
    ...colours,
    state: (text) => inColour(meant(text, STATES), text),
    event: (text) => inColour(meant(text, EVENTS) ?? 'cyan', text),
    ago: (time) => (stream.isTTY && !utc ? relativeTime(Date.parse(time), Date.now()) : null),
  };
}

const meant = (text: string, colours: readonly (readonly [Colour, RegExp])[]): Colour | null =>
  colours.find(([, meaning]) => meaning.test(text))?.[0] ?? null;

/** Of tasks, queues, batches, workers, triggers, operations and groups of failures. Any other waits, or is as it should be. */
const STATES: readonly (readonly [Colour, RegExp])[] = [
  ['red', /no worker|failing|^(failed|stuck|stopped|open|rejected)\b/],
  ['yellow', /^(held|undecided|paused|closed|draining|disabled)\b/],
  ['green', /^(succeeded|completed|resolved)\b/],
  ['cyan', /^(running|reporting)\b/],
  ['dim', /^(cancelled|aborted|deleted|superseded|expired|ignored|archived|finished)\b/],
];

const EVENTS: readonly (readonly [Colour, RegExp])[] = [
  ['red', /Failed|Rejected|Refused|Expired|Lost|Aborted|Stopped/],
  ['yellow', /Retr|Held|Paused|DecisionRequested|Returned|Cancel|Overruled/],
  ['green', /Succeeded|Completed|Resolved/],
];
