import type { EventView, TaskProof } from '@waybill/contracts';

/** An event as the text of its segment has it, with its private half if that was given. */
export interface ProvenView extends EventView {
  readonly half: Readonly<Record<string, unknown>> | null;
  /** Its public half. */
  readonly open: Readonly<Record<string, unknown>>;
}

/**
 * The events of the proof's task, from the texts that are sealed. Whether the texts are the sealed ones is not checked here: `waybill verify` does.
 * Source of the format: docs/reference/log-format.md.
 */
export const provenEvents = ({ task, segments }: TaskProof): readonly ProvenView[] =>
  segments.flatMap((segment) => eventsIn(segment).filter(({ stream }) => stream === `task-${task}`));

function eventsIn({ leaf, text, private: halves }: TaskProof['segments'][number]): ProvenView[] {
  const [head = '', meta = '', shared = '', ...lines] = text.split('\n');
  const [category = '', type = '', version, count] = head.split(' ');
  const [, , position = '0', , recordedAt = ''] = leaf.split(' ');
  return lines.slice(0, Number(count)).map((line, at) => {
    const [stream = '', revision, id = ''] = line.split(' ');
    const half = objectIn(halves.find(({ event }) => event === at)?.half ?? '-');
    const open = { ...objectIn(shared), ...objectIn(lines[Number(count) + at] ?? '-') };
    return {
      position: String(BigInt(position) + BigInt(at)),
      stream: `${category}-${stream}`,
      revision: Number(revision),
      id,
      type,
      version: Number(version),
      recordedAt,
      data: { ...open, ...half },
      envelope: objectIn(meta) as unknown as EventView['envelope'],
      half,
      open,
    };
  });
}

const objectIn = (text: string): Readonly<Record<string, unknown>> | null =>
  text === '-' || text === '' ? null : (JSON.parse(text) as Readonly<Record<string, unknown>>);
