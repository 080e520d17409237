import type { bcs } from '@iota/iota-sdk/bcs';

type Status = (typeof bcs.TransactionEffects.$inferType)['V1']['status'];

/** An execution's status as nodes serve it: errors in the debugging format of the node's language. */
export function describeExecutionStatus(
  status: Status,
): { status: 'success' } | { status: 'failure'; error: string } {
  if (status.$kind === 'Success') return { status: 'success' };
  const { error, command } = status.Failed;
  const text = describe(error);
  return { status: 'failure', error: command === null ? text : `${text} in command ${command}` };
}

/** Fields that hold an identifier of Move, which is a type around a text. */
const IDENTIFIERS: ReadonlySet<string> = new Set(['ModuleId.name']);
/** Fields whose type is an account address, which is shown without a prefix; ids of objects have one. */
const PLAIN_ADDRESSES: ReadonlySet<string> = new Set(['ModuleId.address']);
/** Structs by the name of the field or variant that holds them. */
const STRUCTS: Readonly<Record<string, string>> = { module: 'ModuleId' };

/** A value of an enum: its name, followed by its fields. */
function describe(value: object): string {
  const { $kind: kind } = value as { $kind: string };
  const content = (value as Record<string, unknown>)[kind];
  if (content === true) return kind;
  if (kind === 'MovePrimitiveRuntimeError') return `${kind}(${describeOption(content)})`;
  if (kind === 'MoveAbort') {
    const [location, code] = content as [object, string];
    return `${kind}(${describeStruct('MoveLocation', location)}, ${code})`;
  }
  return describeStruct(kind, content as object);
}

function describeOption(location: unknown): string {
  const inner =
    location === null ? 'None' : `Some(${describeStruct('MoveLocation', location as object)})`;
  return `MoveLocationOpt(${inner})`;
}

function describeStruct(name: string, fields: object): string {
  const texts = Object.entries(fields).map(
    ([field, value]) => `${snakeCase(field)}: ${describeField(name, field, value)}`,
  );
  return `${name} { ${texts.join(', ')} }`;
}

function describeField(struct: string, field: string, value: unknown): string {
  const path = `${struct}.${field}`;
  if (field === 'functionName') {
    return value === null ? 'None' : `Some(${JSON.stringify(value)})`;
  }
  if (IDENTIFIERS.has(path)) return `Identifier(${JSON.stringify(value)})`;
  if (PLAIN_ADDRESSES.has(path)) return (value as string).slice(2);
  if (field === 'congestedObjects') return `CongestedObjects([${(value as string[]).join(', ')}])`;
  if (field === 'coinType') return JSON.stringify(value);
  if (value instanceof Uint8Array || Array.isArray(value))
    return `[${Array.from(value as number[]).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return '$kind' in value ? describe(value) : describeStruct(STRUCTS[field]!, value);
  }
  return String(value);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
