import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../src/application/kernel/recorded-event.js';
import { checkProgram, type ToldFinding } from '../../../src/check/check-program.js';
import { violationsIn } from '../../../src/check/log-check.js';
import { ALICE, BATCH, BOB, Book, DAVE } from '../../chaos/book.js';
import { BAD, remove, tampered } from '../../chaos/wrong-logs/broken.js';
import { DISORDERLY } from '../../chaos/wrong-logs/disorderly.js';
import { MISTIMED } from '../../chaos/wrong-logs/mistimed.js';
import { OUT_OF_STEP } from '../../chaos/wrong-logs/out-of-step.js';
import { NEVER, TOLERATED, unsuperseded } from '../../chaos/wrong-logs/rerun-or-retried.js';
import { WRONGLY_UNDONE } from '../../chaos/wrong-logs/wrongly-undone.js';
import { writeExport } from '../../support/history/export-of.js';

const RULES = join(__dirname, '../../../src/check/rules');

/** Where a rule says what it found, as an expression that its words match. */
interface Place {
  readonly words: string;
  readonly found: RegExp;
}

/** How rules give their words: as a sentence, what they add to one, or what was expected of a step or a time. */
const WORDS = [
  /`(Expected [^`]*)`/g,
  /`\$\{says\} ([^`]*)`/g,
  /said\(recorded, (?:`([^`]*)`|'([^']*)')/g,
  /(?:at\(place, [^,]+, |early\(recorded, |what: )'([^']+)'/g,
];

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function placesIn(source: string): readonly Place[] {
  const words = WORDS.flatMap((pattern) => [...source.matchAll(pattern)].map(([, first, second]) => first ?? second!));
  return words.map((one) => ({
    words: one,
    found: new RegExp(
      one
        .split(/\$\{[^}]*\}/)
        .map(escaped)
        .join('.*'),
      's',
    ),
  }));
}

const PLACES: readonly Place[] = readdirSync(RULES).flatMap((file) =>
  placesIn(readFileSync(join(RULES, file), 'utf8')),
);

/** Needs keys, references or labels, which are private. */
const PRIVATE = [/to be claimed before/, /of its key/, /to catch '/, /^and be open$/];

/** What a log does not tell from what is right, if nothing else is known of its service: our own tests find it. */
const STRICT = [/to be superseded, because its copy/, /to repeat it, but it has another/, /to report when it ends/];

/** Sentences that end in the words of another place. */
const FRAMES = [/^Expected (task )?'\.\*' to \.\*, but \.\*$/, /^Expected to know the command behind/];

const COPIED = { batch: BATCH, rerunOf: { task: ALICE } };
const DEFINED = { name: 'b', at: '2026-11-21T08:00:00.000Z' };

/** A batch that copies a task that has not failed, twice. */
const copiedTwice = (): Book =>
  new Book()
    .enqueue(ALICE, 'a')
    .batch('BatchCreated', DEFINED)
    .enqueue(BOB, 'b', undefined, COPIED)
    .enqueue(DAVE, 'd', undefined, COPIED);

/** A copy that begins elsewhere than its task stopped. */
function copiedElsewhere(): Book {
  const book = new Book({ retry: { maxAttempts: 1 } as never }).enqueue(ALICE, 'a', undefined, {
    steps: ['cut', 'glue'],
  });
  book.claim(ALICE, 'w1', undefined, { step: 'cut' }).failFinally(ALICE);
  const rerunOf = { task: ALICE, step: 'glue', lastStep: 'cut' };
  return book
    .batch('BatchCreated', DEFINED)
    .enqueue(BOB, 'b', undefined, { batch: BATCH, rerunOf, steps: ['cut', 'glue'] });
}

const OTHERS: readonly (() => readonly RecordedEvent[])[] = [
  () => copiedTwice().events,
  () => copiedElsewhere().events,
  () => unsuperseded().events,
  () => tampered((events) => remove(events, 'TaskAttemptFailed')).events,
];

const PLANTED: readonly (() => readonly RecordedEvent[])[] = [
  ...BAD.map(
    ([, , history]) =>
      () =>
        history().events,
  ),
  ...DISORDERLY.map(
    ([, , history]) =>
      () =>
        history().events,
  ),
  ...MISTIMED.map(
    ([, book]) =>
      () =>
        book().events,
  ),
  ...OUT_OF_STEP.map(
    ([, , book]) =>
      () =>
        book().events,
  ),
  ...[...NEVER, ...TOLERATED].map(
    ([, , book]) =>
      () =>
        book().events,
  ),
  ...WRONGLY_UNDONE.map(
    ([, book]) =>
      () =>
        book().events,
  ),
  ...OTHERS,
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waybill-check-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function foundIn(events: readonly RecordedEvent[], isWhole: boolean): Promise<readonly ToldFinding[]> {
  const path = join(folder, 'log');
  writeExport(path, events, { isWhole });
  const found: ToldFinding[] = [];
  await checkProgram(path, { policies: new Map(), isOver: true, onFinding: (finding) => found.push(finding) });
  return found;
}

async function allFound(isWhole: boolean): Promise<readonly ToldFinding[]> {
  const found: ToldFinding[] = [];
  for (const planted of PLANTED) found.push(...(await foundIn(planted(), isWhole)));
  return found;
}

const isOneOf = (patterns: readonly RegExp[], { words, found }: Place): boolean =>
  patterns.some((one) => one.test(words) || one.test(found.source));

const missed = (found: readonly { readonly says: string }[], places: readonly Place[]): readonly string[] =>
  places.filter((place) => !found.some(({ says }) => place.found.test(says))).map(({ words }) => words);

const FOREIGN = PLACES.filter((place) => !isOneOf([...FRAMES, ...STRICT], place));

describe('check of an export', () => {
  it('knows where rules say what they found', () => expect(PLACES.length).toBeGreaterThan(60));

  it('H-57 finds a planted fault of every rule without private halves, by stream and position', async () => {
    const found = await allFound(false);
    expect(
      missed(
        found,
        FOREIGN.filter((place) => !isOneOf(PRIVATE, place)),
      ),
    ).toEqual([]);
    const atTheEnd = found.filter(({ stream, position }) => stream === null || position === null);
    expect([...new Set(atTheEnd.map(({ says }) => says.replaceAll(/'[^']*'/g, '_')))]).toEqual([]);
  });

  it('finds a planted fault of every rule that needs private halves, if it has them', async () => {
    expect(missed(await allFound(true), FOREIGN)).toEqual([]);
  });

  it('finds the rest in a run of our own, of which more is known', () => {
    const traits = { isWhole: true, claimsTakeTurns: true, isOver: true };
    const found = PLANTED.flatMap((planted) => violationsIn(planted(), traits));
    expect(
      missed(
        found,
        PLACES.filter((place) => isOneOf(STRICT, place)),
      ),
    ).toEqual([]);
  });
});
