import { Card } from '../src/ui/card.js';
import { Count } from '../src/ui/number.js';
import { PageHead } from '../src/ui/page-head.js';
import { Pill } from '../src/ui/pill.js';
import { Sentence } from '../src/ui/sentence.js';
import { ShortId } from '../src/ui/short-id.js';
import { Columns, Sides, Stack } from '../src/ui/stack.js';
import { Ago, At } from '../src/ui/time.js';
import { PAGES } from '../src/app/pages.js';
import css from './kit.module.css';
import { Row, type Story } from './story.js';

const SIZES = ['xxl', 'xl', 'l', 'm', 's', 'xs'] as const;
const COLOURS = [
  'page',
  'surface',
  'raised',
  'sunken',
  'line',
  'line-strong',
  'text',
  'text-2',
  'text-3',
  'accent',
  'accent-soft',
  'alarm',
  'alarm-soft',
  'state-waiting',
  'state-running',
  'state-stopped',
  'state-done',
] as const;
const STATES = [
  'pending',
  'running',
  'held',
  'undecided',
  'succeeded',
  'failed',
  'cancelled',
  'aborted',
  'superseded',
  'deleted',
  'active',
  'paused',
  'stopped',
  'open',
  'resolved',
  'ignored',
] as const;

const ID = '01a21ec5-e102-7d0d-83b5-6122191111bb';
const MINUTE_MS = 60_000;
const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

/** What everything is made of. */
export const LANGUAGE: readonly Story[] = [
  {
    title: 'Type scale',
    of: [],
    shows: () =>
      SIZES.map((size) => (
        <p key={size} style={{ fontSize: `var(--size-${size})` }}>
          {size}: 122 tasks of payments fail since 20:26
        </p>
      )),
  },
  {
    title: 'Colours',
    of: [],
    shows: () => (
      <Row>
        {COLOURS.map((name) => (
          <span key={name} className={css.swatch}>
            <span style={{ background: `var(--${name})` }} /> {name}
          </span>
        ))}
      </Row>
    ),
  },
  {
    title: 'Icons of the pages',
    of: [],
    shows: () => (
      <Row>
        {PAGES.map(({ name, icon: Icon }) => (
          <span key={name} className={css.swatch}>
            <Icon aria-hidden="true" size={16} /> {name}
          </span>
        ))}
      </Row>
    ),
  },
  {
    title: 'Pills: a shape, a word and a colour',
    of: ['pill'],
    shows: () => (
      <Row>
        {STATES.map((state) => (
          <Pill key={state} state={state} />
        ))}
        <Pill state="failed" word="Failed with one job of two" />
      </Row>
    ),
  },
  {
    title: 'Counts, times and ids',
    of: ['number', 'time', 'short-id', 'sentence'],
    shows: () => (
      <Row>
        <Count value={0} />
        <Count value={1_234_567} />
        <Count value={122} isAlarm />
        <Ago at={ago(0)} />
        <Ago at={ago(4)} />
        <Ago at={ago(60 * 26)} />
        <At at={ago(60)} />
        <ShortId id={ID} />
        <Sentence text={`It waits for ${ID}, which failed.`} />
      </Row>
    ),
  },
  {
    title: 'Heads of pages and cards',
    of: ['page-head', 'card', 'stack'],
    shows: () => (
      <Stack>
        <PageHead title="The kit" beside={<Pill state="failed" />} under="What people should know first" />
        <Columns>
          <Card title="A card" aside="an aside">
            Its content
          </Card>
          <Card title="Another one">Its content</Card>
        </Columns>
        <Sides>
          <Card title="What the page is about">Its content</Card>
          <Card title="About">What is known of it</Card>
        </Sides>
      </Stack>
    ),
  },
];
