import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from './fields.js';
import { InvalidInput, kindOf, pointerTo, type InputFault } from './invalid-input.js';
import { faultInJson } from './json-rules.js';
import { compiledCheck } from './schemas.js';

type Model<T> = new () => T;

/** More faults than a person reads, in an answer that stays small. */
const FAULTS = 20;

const RULES: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  // A class without fields would be unknown; its members are refused as every other one's are.
  forbidUnknownValues: false,
  stopAtFirstError: true,
};

/**
 * What a request's body must look like: the entrance of every operation, whichever way the request came in. The answer is
 * the body itself, not a copy. An absent body is an empty object. Throws `InvalidInput`.
 */
export class Validator<T extends object> {
  constructor(
    protected readonly model: Model<T>,
    /** What pointers begin with. */
    private readonly root = '',
  ) {}

  of(input: unknown): T {
    const unstorable = input === undefined ? null : faultInJson(input);
    const body = this.read(input ?? {});
    const faults = unstorable ? [unstorable] : this.faultsIn(body);
    if (faults.length === 0) return body as T;
    throw new InvalidInput(faults.map(({ pointer, detail }) => ({ pointer: this.root + pointer, detail })));
  }

  protected read(input: unknown): unknown {
    return input;
  }

  protected faultsIn(body: unknown): readonly InputFault[] {
    return faultsAgainst(this.model, body);
  }
}

/** For bodies that come by the thousand: accepted by a compiled check; only a refused one is looked at field by field. */
export class CompiledValidator<T extends object> extends Validator<T> {
  private check: ValidateFunction | null = null;

  protected override faultsIn(body: unknown): readonly InputFault[] {
    this.check ??= compiledCheck(this.model);
    if (this.check(body)) return [];
    const faults = super.faultsIn(body);
    if (faults.length > 0) return faults;
    // The two disagree, which the tests would have found: refused all the same.
    return (this.check.errors ?? []).map(({ instancePath, message }) => ({
      pointer: instancePath,
      detail: String(message),
    }));
  }
}

/** What is wrong with `input`, field by field, by the decorators of `model`. */
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

function ownDetail({ constraints = {}, target }: ValidationError): string | null {
  if (constraints.kind) return constraints.kind;
  if (constraints.whitelistValidation) return unknownMember(target!.constructor);
  return Object.values(constraints)[0] ?? null;
}

function unknownMember(model: object): string {
  const fields = getMetadataStorage().getTargetValidationMetadatas(model as () => void, '', false, false);
  const names = [...new Set(fields.map(({ propertyName }) => `'${propertyName}'`))];
  return names.length === 0 ? 'Expected nothing' : `Expected one of ${names.join(', ')}, but it is none of them`;
}
