/**
 * @typedef {{ id: string, source: string, text: string }} Line
 * @typedef {{ title: string, status: string, failing?: boolean, numPassingAsserts: number }} Test
 * @typedef {{ name: string, message: string, status: string, assertionResults: Test[] }} TestFile
 * @typedef {{ lines: number, passing: string[], failing: string[], missing: string[] }} SourceResult
 */

const LEADING_IDS = /^(?:S\d-\d\d\s+)+/;

/** @param {string} title */
export function idsOf(title) {
  return LEADING_IDS.exec(`${title} `)?.[0].trim().split(/\s+/) ?? [];
}

/**
 * The tests of the acceptance folder, out of a Jest result that may hold others too.
 * @param {{ testResults: TestFile[] }} result
 */
export function acceptanceFiles(result) {
  return result.testResults.filter(({ name }) => name.replaceAll('\\', '/').includes('/test/acceptance/'));
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
 * Per source: a line passes when at least one test carries its id and every test that carries it proves it.
 * @param {readonly Line[]} lines
 * @param {readonly Test[]} tests
 * @returns {Record<string, SourceResult>}
 */
export function resultsBySource(lines, tests) {
  const verdicts = verdictsOf(tests);
  /** @type {Record<string, SourceResult>} */
  const sources = {};
  for (const { id, source } of lines) {
    const result = (sources[source] ??= { lines: 0, passing: [], failing: [], missing: [] });
    result.lines += 1;
    result[verdicts.get(id) ?? 'missing'].push(id);
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
  return [
    ...Object.entries(sources).flatMap(([name, result]) => reportOf(name, result)),
    `all ${total(({ passing }) => passing.length)} of ${total(({ lines }) => lines)} lines pass`,
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
  const entries = Object.entries(sources).map(([name, { lines, passing }]) => [name, { lines, passing }]);
  return JSON.stringify(Object.fromEntries(entries));
}
