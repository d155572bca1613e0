import pg from 'pg';

/** Before the first row: a mark of 11 bytes, flags, and the length of an extension, which none has. */
const HEAD_BYTES = 11 + 4 + 4;
/** The last message has this in place of the number of columns. */
const END = -1;
const NULL = -1;
const MOST_COLUMNS = 32;

/** A row as COPY writes it in binary: an integer has its bytes, a text those of UTF-8. Columns are counted from 0. */
export class CopiedRow {
  bytes: Buffer = Buffer.alloc(0);
  /** Where each column begins, and where it ends; `NULL` if it is null. */
  private readonly places = new Int32Array(MOST_COLUMNS * 2);

  /** In place of the row before. `start`: of the number of columns. */
  read(bytes: Buffer, start: number): this {
    const { places } = this;
    this.bytes = bytes;
    const end = bytes.readInt16BE(start) * 2;
    let at = start + 2;
    for (let place = 0; place < end; place += 2) {
      const length = bytes.readInt32BE(at);
      places[place] = at += 4;
      places[place + 1] = length === NULL ? NULL : (at += length);
    }
    return this;
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
}

/** The row is valid until it returns. */
export type OnRow = (row: CopiedRow) => void;

/**
 * Gives each row of a select, whose parameters must be in its text, while it arrives. The driver reads the values of other queries as text, also binary
 * ones. It takes no other class than its own where it sends statements together, so this is one.
 */
export class CopyOut extends pg.Query {
  private readonly row = new CopiedRow();
  private isBegun = false;
  private thrown: { readonly error: unknown } | null = null;

  constructor(
    select: string,
    private readonly onRow: OnRow,
  ) {
    super({ text: `copy (${select}) to stdout (format binary)` });
  }

  /** Called by the driver for each message, which has one row. An error here would end the process, so it waits for `end`. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const start = this.isBegun ? 0 : HEAD_BYTES;
    this.isBegun = true;
    if (this.thrown !== null || chunk.readInt16BE(start) === END) return;
    try {
      this.onRow(this.row.read(chunk, start));
    } catch (error) {
      this.thrown = { error };
    }
  }

  /** After the last row. Throws what `onRow` threw. */
  end(): void {
    if (this.thrown !== null) throw this.thrown.error;
  }
}
