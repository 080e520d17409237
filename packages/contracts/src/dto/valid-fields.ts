import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

/** A class with fields that class-validator's decorators describe. */
export type Dto<T extends object = object> = new () => T;

type FieldMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];
type Condition = (object: object, value: unknown) => boolean;
type Check = (object: object, value: unknown) => boolean;

/** The decorators of one field. */
interface Field {
  readonly name: string;
  /** The field is checked only if all of them hold. */
  readonly conditions: readonly Condition[];
  readonly checks: readonly Check[];
}

const fieldsOf = new WeakMap<Dto, readonly Field[] | null>();

/**
 * Whether all fields of a DTO satisfy the checks of their class-validator decorators. class-validator itself
 * looks up the decorators for every object: for the DTOs of a sponsored transaction that takes 400 µs instead
 * of 125 µs, a tenth of the processor time of the whole transaction. So class-validator only describes
 * problems. False also for a DTO with decorators of an unknown kind.
 */
export function hasValidFields(dto: Dto, instance: object): boolean {
  let fields = fieldsOf.get(dto);
  if (fields === undefined) {
    fields = readFields(dto);
    fieldsOf.set(dto, fields);
  }
  if (fields === null) return false;
  for (const field of fields) if (!isValid(field, instance)) return false;
  return true;
}

function isValid({ name, conditions, checks }: Field, instance: object): boolean {
  const value = (instance as Readonly<Record<string, unknown>>)[name];
  for (const condition of conditions) if (!condition(instance, value)) return true;
  for (const check of checks) if (!check(instance, value)) return false;
  return true;
}

/** Null: some decorators are of an unknown kind. */
function readFields(dto: Dto): readonly Field[] | null {
  const storage = getMetadataStorage();
  const all = storage.getTargetValidationMetadatas(dto, '', false, false);
  if (all.length === 0) return null;
  const fields: Field[] = [];
  for (const [name, metadata] of Object.entries(storage.groupByPropertyName(all))) {
    const field = { name, conditions: [] as Condition[], checks: [] as Check[] };
    for (const one of metadata) {
      if (one.type === ValidationTypes.CONDITIONAL_VALIDATION) {
        field.conditions.push(one.constraints[0] as Condition);
      } else if (one.type === ValidationTypes.CUSTOM_VALIDATION && !one.validateIf) {
        field.checks.push(...readChecks(dto, one));
      } else {
        return null;
      }
    }
    fields.push(field);
  }
  return fields;
}

function readChecks(dto: Dto, { constraintCls, constraints, each, propertyName }: FieldMetadata) {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance: constraint }): Check => {
      const check = (object: object, value: unknown) => {
        const args: ValidationArguments = {
          value,
          constraints,
          targetName: dto.name,
          object,
          property: propertyName,
        };
        // Only `true` counts: the promise of an asynchronous check does not.
        return constraint.validate(value, args) === true;
      };
      if (!each) return check;
      return (object, value) =>
        Array.isArray(value) ? value.every((one) => check(object, one)) : check(object, value);
    });
}
