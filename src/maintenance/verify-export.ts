import { createHash } from 'node:crypto';
import { bad, BadExport, linesOf, parsed } from '../check/file-lines.js';
import { SealError } from '../domain/seals/seal-error.js';
import { type Cosigned, cosignedBy } from '../infrastructure/notary/cosigned.js';
import { ExportCheck, type ExportSums } from '../infrastructure/notary/export-check.js';
import type { LogPart } from '../projections/seals/log-parts.port.js';
import { type GivenKeys, givenKeys, Unusable } from './given-keys.js';
import { isHalves } from './proof-shape.js';

/** The first line of an export of the sealed log. */
interface ExportHead {
  readonly queue: string | null;
  /** As they were asked for; null if they were not. */
  readonly from: string | null;
  readonly to: string | null;
  readonly private: boolean;
  /** A signed note. */
  readonly seal: string;
}

/** The last line: how many segments there are, and the SHA-256 of all lines before. */
interface ExportEnd {
  readonly segments: number;
  readonly sha256: string;
}

/** What `waybill verify FILE` found. `fault`: where the file is not what was sealed. `refused`: why it cannot be looked at. */
export type VerifiedExport =
  | { readonly refused: string }
  | { readonly fault: string }
  | (ExportSums &
      Omit<ExportHead, 'seal'> & {
        readonly log: string;
        readonly size: number;
        readonly cosigned: readonly Cosigned[];
      });

/**
 * Runs `waybill verify FILE` on an export of the sealed log, of any length. It needs no service, no database and no network. `witnesses`: the
 * keys of those that must have cosigned its seal.
 */
export async function verifyExport(
  path: string,
  keyText: string,
  witnesses: readonly string[] = [],
): Promise<VerifiedExport> {
  try {
    return await new ExportReading(path, givenKeys(keyText, witnesses)).result();
  } catch (error) {
    if (error instanceof BadExport || error instanceof Unusable) return { refused: error.message };
    if (error instanceof SealError) return { fault: error.message };
    throw error;
  }
}

class ExportReading {
  private readonly sum = createHash('sha256');
  private head: ExportHead | null = null;
  private check: ExportCheck | null = null;
  private end: ExportEnd | null = null;
  private at = 0;

  constructor(
    private readonly path: string,
    private readonly keys: GivenKeys,
  ) {}

  async result(): Promise<VerifiedExport> {
    for await (const lines of linesOf(this.path)) for (const line of lines) this.take(line);
    const { head, check, end } = this;
    if (!head || !check || !end)
      throw new BadExport(`Expected '${this.path}' to end with its last line, but it was cut at line ${this.at}`);
    check.end();
    const [sum, { segments }] = [this.sum.digest('hex'), check.sums];
    if (sum !== end.sha256 || segments !== end.segments)
      throw new SealError(`${end.segments} segments with the SHA-256 ${end.sha256}`, `${segments} with ${sum}`);
    const { seal, ...asked } = head;
    const cosigned = cosignedBy(seal, this.keys.witnesses);
    return { ...asked, ...check.sums, log: check.log.origin, size: check.log.size, cosigned };
  }

  private take(line: string): void {
    this.at++;
    if (this.end) throw bad(this.at, 'no line after the end', line);
    const value = parsed(line, this.at);
    if ('end' in value) this.end = endIn(value['end'], this.at, line);
    else this.takeLine(value, line);
  }

  private takeLine(value: Readonly<Record<string, unknown>>, line: string): void {
    this.sum.update(`${line}\n`);
    try {
      if (this.check) this.check.take(partIn(value, this.at, line));
      else {
        this.head = headIn(value, line);
        this.check = new ExportCheck(this.head.seal, this.head, this.keys.key);
      }
    } catch (error) {
      if (error instanceof SealError) error.message = `Line ${this.at}: ${error.message}`;
      throw error;
    }
  }
}

function headIn(value: Readonly<Record<string, unknown>>, line: string): ExportHead {
  const { format, version, queue, from, to, private: isPrivate, seal } = value;
  if (format !== 'waybill-sealed-log') throw bad(1, `a sealed log, as 'waybill log export' writes it`, line);
  if (version !== 1) throw bad(1, 'a format of version 1; use a newer Waybill', line);
  const isTextOrNull = (one: unknown): one is string | null => one === null || typeof one === 'string';
  if (![queue, from, to].every(isTextOrNull) || typeof isPrivate !== 'boolean' || typeof seal !== 'string')
    throw bad(1, 'the head of a sealed log', line);
  return { queue, from, to, private: isPrivate, seal } as ExportHead;
}

function endIn(value: unknown, at: number, line: string): ExportEnd {
  const { segments, sha256: sum } = (value ?? {}) as Partial<Record<keyof ExportEnd, unknown>>;
  if (typeof segments !== 'number' || typeof sum !== 'string') throw bad(at, 'the end of a sealed log', line);
  return { segments, sha256: sum };
}

function partIn(value: Readonly<Record<string, unknown>>, at: number, line: string): LogPart {
  const { type, position, leaf, text, private: halves, leaves, hashes } = value;
  const isSegment = type === 'Segment' && typeof leaf === 'string' && typeof text === 'string' && isHalves(halves);
  const isLeftOut = type === 'LeftOut' && Number.isSafeInteger(leaves) && isTexts(hashes);
  if (!/^\d{1,19}$/.test(String(position)) || typeof position !== 'string' || !(isSegment || isLeftOut))
    throw bad(at, 'a part of a sealed log', line);
  return value as unknown as LogPart;
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
