import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { EventView, ExportOptions, SealView, Waybill } from '@waybill/client';
import { jsonLine, plural } from '@waybill/client/words';
import { type Command, Option } from 'commander';
import { since } from '../arguments.js';
import type { EventFormat } from '../export/event-format.js';
import { EVENT_FORMATS } from '../export/formats.js';
import { withSortedLines } from '../export/sorted-lines.js';
import { NotDone } from '../problems.js';
import type { Open, Session } from '../session.js';

type Asked = Pick<ExportOptions, 'queue' | 'private'> & { readonly from?: string; readonly to?: string };
type Options = Asked & { readonly format: Format };
type Format = 'segments' | keyof typeof EVENT_FORMATS;

const FORMATS: readonly Format[] = ['segments', ...(Object.keys(EVENT_FORMATS) as (keyof typeof EVENT_FORMATS)[])];

export function addLogExport(log: Command, open: Open): void {
  log
    .command('export')
    .description(
      'take the log along: as segments with their seal for waybill verify, or as events, also for other programs',
    )
    .addOption(new Option('--format <format>', FORMATS.join(', ')).choices(FORMATS).default('segments'))
    .option('--queue <name>', 'only what concerns this queue')
    .option('--from <time>', "only what was recorded from this time on, or from this long ago, such as '24h'", since)
    .option('--to <time>', 'only what was recorded before this time, or up to this long ago', since)
    .option('--private', 'with the private halves of events: payloads, keys, labels, results and texts of errors')
    .addHelpText('after', MORE)
    .action(async ({ format, ...asked }: Options, command: Command) => {
      const session = open(command);
      const wanted = Object.fromEntries(Object.entries(asked).filter(([name]) => ASKED.includes(name))) as Asked;
      if (format === 'segments') await exportSegments(session, wanted);
      else await exportEvents(session, wanted, EVENT_FORMATS[format]);
    });
}

const ASKED: readonly string[] = ['queue', 'from', 'to', 'private'];

const MORE = `
segments: compressed by gzip, up to the last seal. The file has segments as they are stored, and the hashes of those that are left out, so 'waybill verify FILE --key key.pub' needs no service.
events: a JSON document a line: a head, the events in commit order, and an end, without which the file was cut. It needs no seal, and 'waybill check' reads it.
csv: RFC 4180, a row an event. ocel2: OCEL 2.0 as JSON. xes: IEEE 1849, a trace a task. prov: PROV-JSON. openlineage: a RunEvent a line, of the attempts. cloudevents: a CloudEvent 1.0 a line. They have no seal. Those that are a line an event have no end, either: the exit code tells that all was written.
Examples: waybill log export > log.gz; waybill log export --format events | gzip > events.gz`;

/** After a broken connection the client goes on. One that lasts ends the command with an error, and the file lacks its end. */
async function exportSegments({ waybill, printer, stdout }: Session, asked: Asked): Promise<void> {
  if (stdout.isTTY)
    throw new NotDone('Expected a file, because what is printed is compressed: waybill log export > log.gz', 2);
  const seal = await lastSeal(waybill);
  const gzip = createGzip();
  const written = pipeline(gzip, stdout, { end: false });
  const progress = new Progress(seal.position, (text) => printer.note(text));
  const sum = createHash('sha256');
  let [segments, leftOut] = [0, 0];
  const write = async (line: object): Promise<void> => {
    if (!gzip.write(`${jsonLine(line)}\n`)) await once(gzip, 'drain');
  };
  const writeSummed = async (line: object): Promise<void> => {
    sum.update(`${jsonLine(line)}\n`);
    await write(line);
  };
  const { queue = null, from = null, to = null, private: isPrivate = false } = asked;
  const head = { format: 'waybill-sealed-log', version: 1, queue, from, to, private: isPrivate, seal: seal.note };
  try {
    await writeSummed(head);
    for await (const part of waybill.log.export({ ...asked, size: seal.size })) {
      await writeSummed(part);
      if (part.type === 'Segment') segments++;
      else leftOut += part.leaves!;
      progress.reached(part.position);
    }
    await write({ end: { segments, sha256: sum.digest('hex') } });
  } finally {
    gzip.end();
    await written;
  }
  printer.note(`Exported ${plural(segments, 'segment')} of ${seal.size}. Left out: ${leftOut}.`);
}

async function lastSeal(waybill: Waybill): Promise<SealView> {
  const { seal, stopped } = await waybill.log.get();
  if (seal) return seal;
  const why = stopped ? `the notary signs nothing: ${stopped.reason}` : 'nobody has sealed it yet';
  throw new NotDone(`Expected a seal of the log, but ${why}. --format events needs none.`);
}

async function exportEvents({ waybill, printer }: Session, asked: Asked, format: EventFormat): Promise<void> {
  const { private: isPrivate = false, queue, from, to } = asked;
  const filter = { ...(queue && { queue }), ...(from && { since: from }), ...(to && { until: to }) };
  const counted = new Counted(waybill.events(isPrivate ? filter : { ...filter, half: 'public' }));
  await withSortedLines(async (sorted) => {
    for await (const line of format(counted.all(), { isPrivate, sorted })) await printer.line(line);
  });
  printer.note(`Exported ${plural(counted.count, 'event')}.`);
}

class Counted {
  count = 0;

  constructor(private readonly events: AsyncIterable<EventView>) {}

  async *all(): AsyncGenerator<EventView> {
    for await (const event of this.events) {
      this.count++;
      yield event;
    }
  }
}

const TELL_MS = 2_000;

/** Tells from time to time how far an export is. */
class Progress {
  private told = performance.now();

  constructor(
    private readonly last: string,
    private readonly tell: (text: string) => void,
  ) {}

  reached(position: string): void {
    if (performance.now() - this.told < TELL_MS) return;
    this.told = performance.now();
    this.tell(`Exported up to position ${position} of ${this.last}.`);
  }
}
