import { canonicalStructTag } from '@forecourt/contracts';
import type { MoveCall } from '@forecourt/ledger';
import type { YamlValue } from '@forecourt/yaml-reader';
import type { AccessSubject } from '../access-subject.js';
import type { ReadCondition, ReadContext } from './condition.js';
import { ANY, readAddress, readAddresses } from './read-addresses.js';

type ReadOfTransaction = ReadCondition<(subject: AccessSubject) => boolean>;
type MatchCall = (call: MoveCall) => boolean;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PRIMITIVE = /^(?:bool|address|u8|u16|u32|u64|u128|u256|vector<.+>)$/;
/** A package that is published or upgraded is spoken for by no list of functions. */
const BESIDE_CALLS = ['Publish', 'Upgrade'];

/** `move-call-package-address`. */
export const readPackageAddress: ReadOfTransaction = (value, context) => {
  const packages = readAddresses(value);
  return ofMoveCalls(context, ({ packageId }) => packages === null || packages.has(packageId));
};

/** `move-call-function`: `<package>::<module>::<function>`, or a list; `*` stands for any part. */
export const readFunction: ReadOfTransaction = (value, context) => {
  const matchers = value.list().map((one) => one.parse(readFunctionPattern));
  return ofMoveCalls(context, (call) => matchers.some((matches) => matches(call)));
};

/** `type-argument`: `0x2::coin::Coin`, with or without its parameters, or a list; of the type arguments of Move calls. */
export const readTypeArgument: ReadOfTransaction = (value, { allows }) => {
  const patterns = readTypes(value);
  const matches = (type: string) =>
    patterns.has(type) || patterns.has(type.replace(/<.*$/, '')) || patterns.has(ANY);
  return ({ transaction }) => {
    const types = transaction.moveCalls.flatMap(({ typeArguments }) => typeArguments);
    return allows ? types.length > 0 && types.every(matches) : types.some(matches);
  };
};

function ofMoveCalls(
  { allows, namedCommandKinds }: ReadContext,
  matches: MatchCall,
): (subject: AccessSubject) => boolean {
  if (!allows) return ({ transaction }) => transaction.moveCalls.some(matches);
  const besides = BESIDE_CALLS.filter((kind) => !namedCommandKinds.has(kind));
  return ({ transaction: { moveCalls, commandKinds } }) =>
    moveCalls.length > 0 &&
    moveCalls.every(matches) &&
    !commandKinds.some((kind) => besides.includes(kind));
}

function readFunctionPattern(text: string): MatchCall {
  const [packageId = '', module, name, ...rest] = text.split('::');
  const isName = (part: string | undefined) => part === ANY || IDENTIFIER.test(part ?? '');
  if (rest.length > 0 || !isName(module) || !isName(name)) {
    throw new Error('must be <package>::<module>::<function>, or a list of these; * is any');
  }
  const wanted = packageId === ANY ? null : readAddress(packageId);
  return (call) =>
    (wanted === null || call.packageId === wanted) &&
    (module === ANY || call.module === module) &&
    (name === ANY || call.function === name);
}

function readTypes(value: YamlValue): ReadonlySet<string> {
  return new Set(
    value.list().map((one) =>
      one.parse((text) => {
        if (text === ANY || PRIMITIVE.test(text)) return text;
        const tag = canonicalStructTag(text);
        if (tag === null) throw new Error('must be a type, such as 0x2::coin::Coin, or a list');
        return tag;
      }),
    ),
  );
}
