import pg from 'pg';

/** The first row has the head of the format before it: a mark, flags, and the length of an extension, which none has. */
const MARK = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const HEAD_BYTES = MARK.length + 8;
/** The last message has this in place of the number of columns. */
const END = -1;
const NULL = -1;

/** A row as COPY writes it in binary: an integer has its bytes, a text those of UTF-8. Columns are counted from 0. */
export class CopiedRow {
  /** Where each column begins, and where it ends; `NULL` if it is null. */
  private readonly places: readonly number[];

  /** `start`: of the number of columns. */
  constructor(
    readonly bytes: Buffer,
    start: number,
  ) {
    const places = new Array<number>(bytes.readInt16BE(start) * 2);
    let at = start + 2;
    for (let place = 0; place < places.length; place += 2) {
      const length = bytes.readInt32BE(at);
      places[place] = at += 4;
      places[place + 1] = length === NULL ? NULL : (at += length);
    }
    this.places = places;
  }

  isNull(column: number): boolean {
    return this.places[column * 2 + 1] === NULL;
  }

  /** Of the column's bytes. */
  start(column: number): number {
    return this.places[column * 2]!;
  }

  /** That of a null is before its start. */
  end(column: number): number {
    return this.places[column * 2 + 1]!;
  }

  text(column: number): string | null {
    return this.isNull(column) ? null : this.bytes.toString('utf8', this.start(column), this.end(column));
  }

  hex(column: number): string | null {
    return this.isNull(column) ? null : this.bytes.toString('hex', this.start(column), this.end(column));
  }
}

/**
 * Reads the rows of a select, whose parameters must be in its text. The driver reads the values of other queries as text, also binary ones. It takes
 * no other class than its own where it sends statements together, so this is one.
 */
export class CopyOut extends pg.Query {
  readonly copied: CopiedRow[] = [];

  constructor(select: string) {
    super({ text: `copy (${select}) to stdout (format binary)` });
  }

  /** Called by the driver for each message, which has one row. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const start = chunk.subarray(0, MARK.length).equals(MARK) ? HEAD_BYTES : 0;
    // The driver uses the bytes of the message again.
    if (chunk.readInt16BE(start) !== END) this.copied.push(new CopiedRow(Buffer.from(chunk), start));
  }
}
