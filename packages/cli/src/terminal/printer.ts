import { once } from 'node:events';
import { harmless, jsonLine, wrapped } from '@waybill/client/words';
import { type Paint, paintFor } from './paint.js';
import { type Column, tableOf } from './table.js';

const WIDTH = { least: 60, unknown: 120 };

/** Prints what a command reports: as lines for people, or as one JSON document per line for programs. */
export class Printer {
  readonly paint: Paint;
  readonly json: boolean;

  constructor(
    private readonly stdout: NodeJS.WriteStream,
    private readonly stderr: Pick<NodeJS.WriteStream, 'write'>,
    env: NodeJS.ProcessEnv,
    { json = false, utc = false }: { readonly json?: boolean; readonly utc?: boolean },
  ) {
    this.json = json;
    this.paint = paintFor(stdout, env, utc);
  }

  get width(): number {
    return Math.max(WIDTH.least, this.stdout.columns ?? WIDTH.unknown);
  }

  /** Resolves when the stream can accept more. */
  async line(text: string): Promise<void> {
    if (!this.stdout.write(`${text}\n`)) await once(this.stdout, 'drain');
  }

  /** Prints one thing. */
  async show(thing: object, asLines: (paint: Paint) => readonly string[]): Promise<void> {
    for (const line of this.json ? [jsonLine(thing)] : asLines(this.paint)) await this.line(line);
  }

  /** Prints a list of things of one kind. `nothing`: the text for an empty list. */
  async list<T>(things: readonly T[], columns: readonly Column<T>[], nothing: string): Promise<void> {
    if (this.json) for (const thing of things) await this.line(jsonLine(thing));
    else if (things.length === 0) this.note(nothing);
    else await this.line(this.table(things, columns));
  }

  /** A table that fits on the terminal. Elsewhere it is as wide as what is in it, because programs read it. */
  table<T>(things: readonly T[], columns: readonly Column<T>[]): string {
    return tableOf(things, columns, this.paint, this.stdout.isTTY ? this.width : undefined);
  }

  /** The text in lines that fit behind so many columns of a terminal. Elsewhere it stays one line. */
  wrapped(text: string, behind: number): readonly string[] {
    return this.stdout.isTTY ? wrapped(text, this.width - behind) : [text];
  }

  /** JSON on one line. On a terminal, a value that is longer than a line has a line for each of its parts. */
  value(value: unknown): string {
    const line = JSON.stringify(value);
    return this.stdout.isTTY && line.length > this.width ? JSON.stringify(value, null, 2) : line;
  }

  /** Prints a remark for people, which is not part of the result. */
  note(text: string): void {
    this.stderr.write(`${harmless(text)}\n`);
  }
}
