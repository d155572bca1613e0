/** Colours for a stream. Adds none if the stream is no terminal or NO_COLOR is set. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

export function paintFor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Paint {
  const coloured = stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb';
  const by = (on: number, off: number) => (text: string) => (coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text);
  return { bold: by(1, 22), dim: by(2, 22), red: by(31, 39), green: by(32, 39), yellow: by(33, 39), cyan: by(36, 39) };
}
