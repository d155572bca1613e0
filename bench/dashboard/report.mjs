import { about, section } from '../report/about.mjs';
import { atLeast, atMost, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const mostOf = (pages, name) => Math.max(...pages.map((page) => page[name]));

const GOALS = [
  atMost(1_000, 'the first paint of Home, median, ms', ({ home }) => home.paint),
  atMost(250, 'pages, scripts and styles of the first load, as gzip, kB', ({ home }) => home.gzip / 1_000),
  atMost(5, 'what an idle page receives in its worst 10 s, kB', ({ idle }) => mostOf(idle, 'worst') / 1_000),
  // A browser draws 60 frames a second; its clock may leave one of a thousand out.
  atLeast(59.9, 'frames a second of a list that scrolls, once it has loaded', ({ scroll }) => scroll.loaded.perSecond),
];

export const judge = (result) => judged(GOALS, result);

const framesOf = ({ whileLoading, loaded, still, empty }) =>
  [
    ['scrolling while it loads', whileLoading],
    ['scrolling once it has loaded', loaded],
    ['the same rows in a page without scripts', still],
    ['an empty page of the same height', empty],
  ].map(([name, { perSecond, lost, p95, longest }]) => [
    name,
    number(perSecond),
    number(lost),
    number(p95),
    number(longest),
  ]);

const workOf = ({ work: { frames, mean, p95, longest, tooLong } }) => [
  [number(frames), number(mean), number(p95), number(longest), number(tooLong)],
];

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, loads, idleSeconds, result: { home, idle, scroll }, goals }) {
  const figures = [
    ['first paint, median, ms', number(home.paint)],
    ['first paint, longest, ms', number(home.longestPaint)],
    ['Home says what is wrong, median, ms', number(home.said)],
    ['pages, scripts and styles, as gzip, kB', number(home.gzip / 1_000)],
    ['fonts, kB', number(home.fonts / 1_000)],
  ];
  const rows = idle.map(({ page, worst, mean, mostAsked }) => [
    page,
    number(worst / 1_000),
    number(mean / 1_000),
    number(mostAsked),
  ]);
  const head = [
    `a page of which nothing changes, ${idleSeconds} s`,
    'worst 10 s, kB',
    'mean of 10 s, kB',
    'most requests in 10 s',
  ];
  return [
    ...about(machine, postgres),
    section('First load', table([`Home, ${loads} times with an empty cache`, ''], figures)),
    section('Idle', table(head, rows)),
    section(
      'A long list',
      table(
        [
          `${number(scroll.rows)} tasks, ${number(scroll.inPage)} rows in the page`,
          'frames a second',
          'left out',
          'p95 frame, ms',
          'longest, ms',
        ],
        framesOf(scroll),
      ),
    ),
    section(
      'What a frame of it costs the main thread, ms of a processor',
      table(['frames', 'mean', 'p95', 'longest', 'longer than a frame lasts'], workOf(scroll)),
    ),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
