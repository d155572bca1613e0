import { join } from 'node:path';
import ts from 'typescript';

const CATALOGUE = join(import.meta.dirname, '../../src/domain/events.ts');

/** What the data of an event may have or lack, such as `TaskFailed.error.details`. What is in a list stands behind `[]`. */
export interface OptionalField {
  readonly path: string;
  /** Where it is declared: `TaskError.details`, or the path if only this event has it. */
  readonly declared: string;
}

/** The optional fields of all events. What callers fill (payloads, labels) counts as one value. */
export function optionalFields(): OptionalField[] {
  const program = ts.createProgram([CATALOGUE], { strict: true, module: ts.ModuleKind.NodeNext, skipLibCheck: true });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(CATALOGUE)!)!);
  const events = checker.getDeclaredTypeOfSymbol(exported.find(({ name }) => name === 'KnownEvent')!);
  return variantsOf(events).flatMap((event) => {
    const [type, data] = ['type', 'data'].map((name) => checker.getTypeOfSymbol(event.getProperty(name)!));
    return fieldsOf(checker, data!, (type as ts.StringLiteralType).value);
  });
}

function fieldsOf(checker: ts.TypeChecker, type: ts.Type, path: string): OptionalField[] {
  const objects = variantsOf(type).filter((one) => (one.flags & ts.TypeFlags.Object) !== 0 || one.isIntersection());
  if (objects.some((one) => one.getStringIndexType() !== undefined)) return [];
  return objects.flatMap((one) => {
    const [items] = checker.isArrayLikeType(one) ? checker.getTypeArguments(one as ts.TypeReference) : [];
    return items ? fieldsOf(checker, items, `${path}[]`) : membersOf(checker, one, objects, path);
  });
}

/** A member that only some variants have is optional, too. */
function membersOf(checker: ts.TypeChecker, one: ts.Type, variants: readonly ts.Type[], path: string): OptionalField[] {
  return one.getProperties().flatMap((member) => {
    const field = { path: `${path}.${member.name}`, declared: declaredAt(member) ?? `${path}.${member.name}` };
    const isMissing = variants.some((other) => !other.getProperty(member.name));
    const isOptional = isMissing || (member.flags & ts.SymbolFlags.Optional) !== 0;
    return [...(isOptional ? [field] : []), ...fieldsOf(checker, checker.getTypeOfSymbol(member), field.path)];
  });
}

/** The name of the interface or type that has the member; null if it is written where an event is declared. */
function declaredAt({ name, declarations }: ts.Symbol): string | null {
  const place = ts.findAncestor(
    declarations?.[0]?.parent,
    (one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one),
  );
  return place ? `${(place as ts.InterfaceDeclaration | ts.TypeAliasDeclaration).name.text}.${name}` : null;
}

const variantsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

/** The paths of all members of a stored value, written as above. */
export function pathsIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [`${path}.${name}`, ...pathsIn(member, `${path}.${name}`)]);
}
