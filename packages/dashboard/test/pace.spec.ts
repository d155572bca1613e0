import { expect, it } from '@jest/globals';
import { dueOf, every, LOOKS } from '../src/app/pace.js';

const names = (looks: readonly { readonly name: string }[]): string[] => looks.map(({ name }) => name);

const courses = Array.from({ length: 20 }, (_, n) => ({ name: `course ${n}`, pace: every(120_000), at: 0 }));
const figures = { name: 'figures', pace: LOOKS, at: 0 };

it('asks a service that tells the rest for one thing at a time: the one that is longest overdue', () => {
  const looks = [...courses, figures];
  expect(names(dueOf(looks, 59_999, true))).toEqual([]);
  expect(names(dueOf(looks, 60_000, true))).toEqual(['figures']);
  expect(names(dueOf([...courses, { ...figures, at: 60_000 }], 120_000, true))).toEqual(['course 0']);
  expect(names(dueOf([...courses, { ...figures, at: 40_000 }], 119_000, true))).toEqual(['figures']);
});

it('asks a service that tells nothing for all that is due', () => {
  expect(names(dueOf([...courses, figures], 3_000, false))).toEqual(['figures']);
  expect(dueOf([...courses, figures], 120_000, false)).toHaveLength(21);
});
