import { costWith, type Layout } from './layout.js';
import { UnreadableMove } from './move-errors.js';
import { type Datatype, datatype, type ValueType } from './value-type.js';

type Resolve = (type: ValueType) => Promise<Layout>;
type LayoutOf = (type: Datatype, resolve: Resolve) => Layout | Promise<Layout>;

const STD = `0x${'1'.padStart(64, '0')}`;
const FRAMEWORK = `0x${'2'.padStart(64, '0')}`;
const ID = datatype({ package: FRAMEWORK, module: 'object', name: 'ID' }, []);
const ASCII = datatype({ package: STD, module: 'ascii', name: 'String' }, []);

/** Types of the framework with a special JSON (`try_convert_type` of iota-json-rpc-types). */
const WELL_KNOWN: Readonly<Record<string, LayoutOf>> = {
  [`${STD}::string::String`]: text,
  [`${STD}::ascii::String`]: text,
  [`${STD}::option::Option`]: async (type, resolve) => {
    const [element] = type.typeArguments;
    if (element === undefined) throw new UnreadableMove('an Option without a type argument');
    return { kind: 'option', of: await resolve(element), cost: costWith(type, ['vec']) };
  },
  [`${FRAMEWORK}::object::ID`]: (type) => transparent(type, 'bytes', 'address'),
  [`${FRAMEWORK}::object::UID`]: (type) => ({
    kind: 'uid',
    cost: costWith(type, ['id']) + costWith(ID, ['bytes']),
  }),
  [`${FRAMEWORK}::url::Url`]: (type) => transparent(type, 'url', text(ASCII)),
  [`${FRAMEWORK}::balance::Balance`]: (type) => transparent(type, 'value', 'u64'),
};

function text(type: Datatype): Layout {
  return { kind: 'text', type, cost: costWith(type, ['bytes']) };
}

function transparent(type: Datatype, field: string, of: Layout): Layout {
  return { kind: 'transparent', of, cost: costWith(type, [field]) };
}

/** The layout of a type with a special JSON; otherwise undefined. */
export function wellKnownLayout(type: Datatype): LayoutOf | undefined {
  const name = `${type.package}::${type.module}::${type.name}`;
  return Object.hasOwn(WELL_KNOWN, name) ? WELL_KNOWN[name] : undefined;
}
