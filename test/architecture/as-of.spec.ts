import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ONLY_PRESENT, OPERATIONAL } from '../support/only-present.js';

const ROOT = join(import.meta.dirname, '../..');

interface Get {
  readonly parameters?: readonly { readonly name: string }[];
}

const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, { readonly get?: Get }>>;
};
const REFERENCE = readFileSync(join(ROOT, 'docs/reference/as-of.md'), 'utf8');

const readings = Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ path, get }] : []));
const takesMoment = ({ parameters = [] }: Get): boolean => parameters.some(({ name }) => name === 'asOf');
const present = readings.flatMap(({ path, get }) => (takesMoment(get) ? [] : path));

describe('every reading', () => {
  it('answers as of a moment, or is known to be only about the present', () => {
    expect(present.filter((path) => !OPERATIONAL.includes(path)).sort()).toEqual(Object.keys(ONLY_PRESENT).sort());
  });

  it.each(readings.filter(({ path }) => !OPERATIONAL.includes(path)))('$path is in the reference', ({ path }) => {
    expect(REFERENCE).toContain(`\`GET ${path}\``);
  });

  it.each(Object.entries(ONLY_PRESENT))('%s has its reason in the reference', (path, reason) => {
    const row = REFERENCE.split('\n').find((line) => line.startsWith(`| \`GET ${path}\` `));
    expect(row).toContain(`| ${reason} `);
  });
});
