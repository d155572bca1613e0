import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from './fields.js';
import { InvalidInput, kindOf, pointerTo, type InputFault } from './invalid-input.js';
import { faultInJson } from './json-rules.js';
import { compiledCheck } from './schemas.js';
import type { Mend } from './storable.js';

type Model<T> = new () => T;

/** More faults than a person reads, and few enough to keep the answer small. */
const FAULTS = 20;

/**
 * The field-by-field check copies a body, at 1 us and more per value. A batch of 1,000 tasks has 3,000 values and more:
 * it passes the compiled check first.
 */
const MOST_COPIED = 20_000;

const RULES: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  // Otherwise a class without fields would count as unknown. Its members are refused like those of any other class.
  forbidUnknownValues: false,
  stopAtFirstError: true,
};

/**
 * Checks the body of a request, however it arrived. Returns the body itself, not a copy. An absent body counts as an
 * empty object. Throws `InvalidInput`.
 */
export class Validator<T extends object> {
  private check: ValidateFunction | null = null;

  constructor(
    protected readonly model: Model<T>,
    /** The beginning of every pointer. */
    private readonly root = '',
    private readonly mend: Mend | null = null,
  ) {}

  of(given: unknown): T {
    const [input, unstorable] = this.storable(given);
    const body = this.read(input ?? {});
    const faults = unstorable ? [unstorable] : this.faultsIn(body);
    if (faults.length === 0) return body as T;
    throw new InvalidInput(faults.map(({ pointer, detail }) => ({ pointer: this.root + pointer, detail })));
  }

  protected read(input: unknown): unknown {
    return input;
  }

  /** The input, mended if it has unstorable text that may change, and the fault that remains. */
  private storable(input: unknown): [input: unknown, fault: InputFault | null] {
    const fault = input === undefined ? null : faultInJson(input);
    if (fault === null || this.mend === null) return [input, fault];
    const mended = this.mend(input);
    return [mended, faultInJson(mended)];
  }

  protected faultsIn(body: unknown): readonly InputFault[] {
    return hasMoreValuesThan(body, MOST_COPIED) ? this.compiledFaultsIn(body) : faultsAgainst(this.model, body);
  }

  /** Stops at the first fault, and copies nothing. */
  protected compiledFaultsIn(body: unknown): readonly InputFault[] {
    this.check ??= compiledCheck(this.model);
    if (this.check(body)) return [];
    return this.check.errors!.map(({ instancePath, message }) => ({
      pointer: instancePath,
      detail: `Expected a valid value, but this one ${message}`,
    }));
  }
}

/**
 * For operations called by the thousand: a compiled check accepts a body, and only a refused one is examined field by
 * field.
 */
export class CompiledValidator<T extends object> extends Validator<T> {
  protected override faultsIn(body: unknown): readonly InputFault[] {
    const compiled = this.compiledFaultsIn(body);
    if (compiled.length === 0) return [];
    const faults = super.faultsIn(body);
    // If the two checks disagree, which the tests should have found, the body is refused all the same.
    return faults.length > 0 ? faults : compiled;
  }
}

/** Counts no further than needed. */
function hasMoreValuesThan(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  let seen = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const member in next) {
      if (++seen > most) return true;
      open.push((next as Record<string, unknown>)[member]);
    }
  }
  return false;
}

/** The faults of `input`, field by field, by the decorators of `model`. */
export function faultsAgainst<T extends object>(model: Model<T>, input: unknown): readonly InputFault[] {
  if (!isObject(input)) return [{ pointer: '', detail: `Expected an object, but got ${kindOf(input)}` }];
  const errors = validateSync(plainToInstance(model, input), RULES);
  return errors.flatMap((error) => faultsOf(error, [])).slice(0, FAULTS);
}

function faultsOf(error: ValidationError, above: readonly string[]): InputFault[] {
  const path = [...above, error.property];
  const own = ownDetail(error);
  if (own !== null) return [{ pointer: pointerTo(path), detail: own }];
  return (error.children ?? []).flatMap((child) => faultsOf(child, path));
}

function ownDetail({ constraints = {}, target, property }: ValidationError): string | null {
  if (constraints.kind) return constraints.kind;
  if (constraints.whitelistValidation) return unknownMember(target!.constructor, property);
  return Object.values(constraints)[0] ?? null;
}

function unknownMember(model: object, name: string): string {
  if (name === 'asOf' || name === 'at') return `Expected no '${name}', because this is only about the present`;
  const fields = getMetadataStorage().getTargetValidationMetadatas(model as () => void, '', false, false);
  const names = [...new Set(fields.map(({ propertyName }) => `'${propertyName}'`))];
  return names.length === 0 ? 'Expected nothing' : `Expected one of ${names.join(', ')}, but it is none of them`;
}
