/**
 * @typedef {{ id: string, source: string, text: string, shownBy?: 'example' }} Line
 * @typedef {{ title: string, status: string, failing?: boolean, numPassingAsserts: number }} Test
 * @typedef {{ name: string, message: string, status: string, assertionResults: Test[] }} TestFile
 * @typedef {{ lines: number, passing: string[], byExamples: number, failing: string[], missing: string[] }} SourceResult
 */

const LEADING_IDS = /^(?:(?:S\d|D|H)-\d\d\s+)+/;

/** @param {string} title */
export function idsOf(title) {
  return LEADING_IDS.exec(`${title} `)?.[0].trim().split(/\s+/) ?? [];
}

/** Where tests prove lines: those of the dashboard need a browser. */
const FOLDERS = /\/test\/(acceptance|browser)\//;

/**
 * The tests that prove lines, out of Jest results that may hold others too.
 * @param {...{ testResults: TestFile[] }} results
 */
export function acceptanceFiles(...results) {
  const files = results.flatMap(({ testResults }) => testResults);
  return files.filter(({ name }) => FOLDERS.test(name.replaceAll('\\', '/')));
}

/**
 * Why a test proves nothing; null where it does. One that is marked as failing passes by failing, and one without an assertion always.
 * @param {Test} test
 */
export function shortcoming({ status, failing, numPassingAsserts }) {
  if (failing) return 'is marked as failing';
  if (status !== 'passed') return status === 'failed' ? 'failed' : 'did not run';
  return numPassingAsserts > 0 ? null : 'asserts nothing';
}

/**
 * The tests that carry a line's id and prove nothing.
 * @param {readonly Test[]} tests
 */
export const unproving = (tests) =>
  tests.flatMap((test) => {
    const why = shortcoming(test);
    return why !== null && idsOf(test.title).length > 0 ? [`'${test.title}' ${why}`] : [];
  });

/**
 * Per source: a line passes when at least one test carries its id and every test that carries it proves it. `byExamples`:
 * how many of those pass because an example in this repository does it, on top of the product, which knows no such domain.
 * @param {readonly Line[]} lines
 * @param {readonly Test[]} tests
 * @returns {Record<string, SourceResult>}
 */
export function resultsBySource(lines, tests) {
  const verdicts = verdictsOf(tests);
  /** @type {Record<string, SourceResult>} */
  const sources = {};
  for (const { id, source, shownBy } of lines) {
    const result = (sources[source] ??= { lines: 0, passing: [], byExamples: 0, failing: [], missing: [] });
    const verdict = verdicts.get(id) ?? 'missing';
    result.lines += 1;
    result[verdict].push(id);
    if (verdict === 'passing' && shownBy === 'example') result.byExamples += 1;
  }
  return sources;
}

/** @param {readonly Test[]} tests */
function verdictsOf(tests) {
  /** @type {Map<string, 'passing' | 'failing'>} */
  const verdicts = new Map();
  for (const test of tests) {
    for (const id of idsOf(test.title)) {
      verdicts.set(id, shortcoming(test) === null && verdicts.get(id) !== 'failing' ? 'passing' : 'failing');
    }
  }
  return verdicts;
}

/**
 * Ids in test titles that no line has: a slip of the pen that would otherwise look like a missing line.
 * @param {readonly Line[]} lines
 * @param {readonly Test[]} tests
 */
export function unknownIds(lines, tests) {
  const known = new Set(lines.map(({ id }) => id));
  return [...new Set(tests.flatMap(({ title }) => idsOf(title)))].filter((id) => !known.has(id));
}

/** @param {Record<string, SourceResult>} sources */
export function report(sources) {
  const all = Object.values(sources);
  const total = (/** @type {(result: SourceResult) => number} */ count) =>
    all.reduce((sum, one) => sum + count(one), 0);
  const passing = total(({ passing }) => passing.length);
  const examples = total(({ byExamples }) => byExamples);
  return [
    ...Object.entries(sources).flatMap(([name, result]) => reportOf(name, result)),
    `all ${passing} of ${total(({ lines }) => lines)} lines pass: ${passing - examples} product, ${examples} examples`,
  ].join('\n');
}

/**
 * @param {string} name
 * @param {SourceResult} result
 */
function reportOf(name, { lines, passing, failing, missing }) {
  return [
    `${name}  ${passing.length} of ${lines} lines pass`,
    ...(failing.length > 0 ? [`    failing: ${failing.join(' ')}`] : []),
    ...(missing.length > 0 ? [`    missing: ${missing.join(' ')}`] : []),
  ];
}

/**
 * The form for programs.
 * @param {Record<string, SourceResult>} sources
 */
export function asJson(sources) {
  const entries = Object.entries(sources).map(([name, { lines, passing, byExamples }]) => [
    name,
    { lines, passing, byExamples },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
