import {
  costOf,
  costWith,
  type Datatype,
  datatype,
  type FieldLayout,
  type Layout,
  structLayout,
  type ValueType,
  variantLayout,
  vectorOf,
} from './value-type.js';
import { MoveTooLarge } from './move-too-large.js';
import { UnreadableMove } from './unreadable-move.js';
import type { MovePackages } from './move-packages.js';
import type { DefinedType, Definition, Field } from './read-module.js';
import { isSystemPackage, type MovePackage } from './read-package.js';

/** The ledger emits no event whose layout has more than 512 parts, or is nested more than 128 times. */
const MOST_PARTS = 1_024;
const DEEPEST = 256;

/** Of an object and its place in a list, and of the objects of a type in relation to its cost, in bytes. */
const MEMORY_PER_PART = 300;
const MEMORY_PER_COST = 3;

export class LayoutResolver {
  memory = MEMORY_PER_PART;
  #parts = 0;

  constructor(private readonly packages: MovePackages) {}

  async resolve(type: ValueType, depth: number): Promise<Layout> {
    this.#parts += 1;
    this.memory += MEMORY_PER_PART + MEMORY_PER_COST * costOf(type);
    if (this.#parts > MOST_PARTS || depth > DEEPEST) {
      throw new MoveTooLarge(`a type has more than ${MOST_PARTS} parts, or ${DEEPEST} levels`);
    }
    if (typeof type === 'string') return type;
    if ('vector' in type) return { kind: 'vector', of: await this.resolve(type.vector, depth + 1) };
    const wellKnown = wellKnownLayout(type);
    if (wellKnown) return wellKnown(type, (inner) => this.resolve(inner, depth + 1));
    return this.define(type, depth);
  }

  private async define(type: Datatype, depth: number): Promise<Layout> {
    const { definition, within } = await this.find(type);
    if (definition.typeParameters !== type.typeArguments.length) {
      throw new UnreadableMove(`${type.module}::${type.name} has other type parameters`);
    }
    const resolveFields = async (fields: readonly Field[]): Promise<FieldLayout[]> => {
      const resolved: FieldLayout[] = [];
      for (const field of fields) {
        const inner = await this.ground(field.type, type.typeArguments, within);
        this.memory += field.name.length;
        resolved.push({ name: field.name, layout: await this.resolve(inner, depth + 1) });
      }
      return resolved;
    };
    if (!definition.variants) return structLayout(type, await resolveFields(definition.fields));
    const variants = [];
    for (const { name, fields } of definition.variants) {
      variants.push(variantLayout(type, name, await resolveFields(fields)));
    }
    return { kind: 'enum', type, variants };
  }

  private async find(
    type: Datatype,
  ): Promise<{ readonly definition: Definition; readonly within: MovePackage }> {
    const name = `${type.module}::${type.name}`;
    let within = await this.packages.get(type.package);
    let definition = within.definitions.get(name);
    if (!definition) {
      within = (await this.packages.renew(type.package)) ?? within;
      definition = within.definitions.get(name);
    }
    if (!definition) throw new UnreadableMove(`the package ${within.id} has no type ${name}`);
    return { definition, within };
  }

  /** The type of a field, named as types of values are: by the package that has introduced it. */
  private async ground(
    type: DefinedType,
    typeArguments: readonly ValueType[],
    within: MovePackage,
  ): Promise<ValueType> {
    if (typeof type === 'string') return type;
    if ('vector' in type) return vectorOf(await this.ground(type.vector, typeArguments, within));
    if ('parameter' in type) {
      const argument = typeArguments[type.parameter];
      if (argument === undefined) throw new UnreadableMove('a type parameter is out of range');
      return argument;
    }
    const inner: ValueType[] = [];
    for (const one of type.typeArguments) inner.push(await this.ground(one, typeArguments, within));
    const { module, name } = type;
    return datatype({ package: await this.originOf(type, within), module, name }, inner);
  }

  private async originOf(
    { package: firstId, module, name }: { package: string; module: string; name: string },
    within: MovePackage,
  ): Promise<string> {
    if (isSystemPackage(firstId)) return firstId;
    const isOwn = firstId === within.firstId;
    const linked = isOwn ? within.id : within.linkage.get(firstId);
    if (linked === undefined) throw new UnreadableMove(`${within.id} is not linked to ${firstId}`);
    const defined = isOwn ? within : await this.packages.get(linked);
    return defined.origins.get(`${module}::${name}`) ?? linked;
  }
}

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
function wellKnownLayout(type: Datatype): LayoutOf | undefined {
  const name = `${type.package}::${type.module}::${type.name}`;
  return Object.hasOwn(WELL_KNOWN, name) ? WELL_KNOWN[name] : undefined;
}
