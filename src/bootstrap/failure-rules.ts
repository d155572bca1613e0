import type { FailureRule } from '../domain/kernel/fingerprint.js';

/** A rule as the configuration has it. */
export interface GivenRule {
  /** A regular expression, as JavaScript has them. */
  readonly match: string;
  readonly as: string;
}

const MOST_RULES = 100;
const MOST_CHARACTERS = 500;

/** What is wrong with the rules; null if nothing is. */
export function faultInRules(rules: unknown): string | null {
  if (!Array.isArray(rules)) return 'it is no JSON array';
  if (rules.length > MOST_RULES) return `it has ${rules.length} rules, and ${MOST_RULES} are allowed`;
  for (const [at, rule] of rules.entries()) {
    const fault = faultInRule(rule);
    if (fault !== null) return `rule ${at + 1} ${fault}`;
  }
  return null;
}

function faultInRule(rule: unknown): string | null {
  const { match, as, ...more } = Object(rule) as { match?: unknown; as?: unknown };
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) return `has '${unknown}', which is unknown`;
  if (!isText(match) || !isText(as)) return `has no 'match' and 'as' of 1 to ${MOST_CHARACTERS} characters`;
  try {
    return compiled(match).test('') ? 'matches every message' : null;
  } catch (error) {
    return `has no regular expression as 'match': ${(error as Error).message}`;
  }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MOST_CHARACTERS;

const compiled = (match: string): RegExp => new RegExp(match, 'u');

/** The rules, which must have no fault. */
export const failureRulesOf = (rules: readonly GivenRule[]): readonly FailureRule[] =>
  rules.map(({ match, as }) => ({ match: compiled(match), as }));
