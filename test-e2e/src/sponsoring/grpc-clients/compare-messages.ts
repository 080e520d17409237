import type { DescEnum, DescField, DescMessage, DescService, Registry } from '@bufbuild/protobuf';

/**
 * Where our descriptions of messages and services contradict the published ones, a sentence each. What we
 * leave out is no difference.
 */
export function compareMessages(ours: Registry, published: Registry): string[] {
  return [...ours].flatMap((type) => {
    switch (type.kind) {
      case 'message':
        return compareMessage(type, published.getMessage(type.typeName));
      case 'enum':
        return compareEnum(type, published.getEnum(type.typeName));
      case 'service':
        return compareService(type, published.getService(type.typeName));
      case 'extension':
        return [];
    }
  });
}

function compareMessage(our: DescMessage, their: DescMessage | undefined): string[] {
  if (!their) return [`message ${our.typeName} is not published`];
  return our.fields.flatMap((field) => {
    const name = `${our.typeName}.${field.name}`;
    const other = their.fields.find((one) => one.name === field.name);
    if (!other) return [`field ${name} is not published`];
    const [mine, theirs] = [describeField(field), describeField(other)];
    return mine === theirs ? [] : [`field ${name} is ${mine}; published is ${theirs}`];
  });
}

/** Everything of a field that its encoding depends on, and its oneof. */
function describeField(field: DescField): string {
  const { number, oneof } = field;
  const group = oneof ? ` in ${oneof.name}` : '';
  return `${number}: ${field.proto.label} ${typeOf(field)}${presence(field)}${group}`;
}

function typeOf(field: DescField): string {
  const { message, enum: values, proto } = field;
  return message?.typeName ?? values?.typeName ?? `scalar ${proto.type}`;
}

const presence = ({ proto }: DescField) => (proto.proto3Optional ? ' optional' : '');

function compareEnum(our: DescEnum, their: DescEnum | undefined): string[] {
  if (!their) return [`enum ${our.typeName} is not published`];
  return our.values
    .filter(
      ({ name, number }) => !their.values.some((one) => one.name === name && one.number === number),
    )
    .map(({ name, number }) => `value ${our.typeName}.${name} = ${number} is not published`);
}

function compareService(our: DescService, their: DescService | undefined): string[] {
  if (!their) return [`service ${our.typeName} is not published`];
  return our.methods.flatMap((method) => {
    const name = `${our.typeName}.${method.name}`;
    const other = their.methods.find((one) => one.name === method.name);
    if (!other) return [`method ${name} is not published`];
    const [mine, theirs] = [describeMethod(method), describeMethod(other)];
    return mine === theirs ? [] : [`method ${name} is ${mine}; published is ${theirs}`];
  });
}

function describeMethod({ methodKind, input, output }: DescService['methods'][number]): string {
  return `${methodKind} (${input.typeName}) returns (${output.typeName})`;
}
