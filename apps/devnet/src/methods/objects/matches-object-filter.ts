import { normalizeStructTag, parseStructTag } from '@iota/iota-sdk/utils';
import type { ObjectRecord } from '../../engine/engine-interface.js';
import { invalidParams } from '@forecourt/contracts';
import { readAddress, readInteger, readObject, readText } from '../../json-rpc/read-params.js';

export type ObjectPredicate = (object: ObjectRecord) => boolean;

/** Reads an object filter: exactly one key of the kinds a node knows. Throws -32602 otherwise. */
export function readObjectFilter(value: unknown, name = 'filter'): ObjectPredicate {
  const filter = readObject(value, name);
  const keys = Object.keys(filter);
  const [kind = ''] = keys;
  if (keys.length !== 1) throw invalidParams(`Invalid params: ${name}: expected exactly one key`);
  const argument = filter[kind];
  const all = () => readFilters(argument, `${name}.${kind}`);
  switch (kind) {
    case 'MatchAll': {
      const parts = all();
      return (object) => parts.every((matches) => matches(object));
    }
    case 'MatchAny': {
      const parts = all();
      return (object) => parts.some((matches) => matches(object));
    }
    case 'MatchNone': {
      const parts = all();
      return (object) => !parts.some((matches) => matches(object));
    }
    case 'StructType':
      return matchesType(readText(argument, `${name}.StructType`));
    case 'Package': {
      const address = readAddress(argument, `${name}.Package`);
      return (object) => tagOf(object)?.address === address;
    }
    case 'MoveModule': {
      const { package: packageId, module } = readObject(argument, `${name}.MoveModule`);
      const address = readAddress(packageId, `${name}.MoveModule.package`);
      return (object) => {
        const tag = tagOf(object);
        return tag?.address === address && tag.module === module;
      };
    }
    case 'ObjectId': {
      const id = readAddress(argument, `${name}.ObjectId`);
      return ({ objectId }) => objectId === id;
    }
    case 'ObjectIds': {
      const list = Array.isArray(argument) ? argument : [];
      const ids = new Set(list.map((id) => readAddress(id, `${name}.ObjectIds`)));
      return ({ objectId }) => ids.has(objectId);
    }
    case 'AddressOwner':
    case 'ObjectOwner': {
      const address = readAddress(argument, `${name}.${kind}`);
      return ({ owner }) =>
        typeof owner === 'object' && (owner as Record<string, unknown>)[kind] === address;
    }
    case 'Version': {
      const version = readInteger(argument, `${name}.Version`);
      return (object) => BigInt(object.version) === version;
    }
    default:
      throw invalidParams(`Invalid params: ${name}: unknown filter ${kind}`);
  }
}

function readFilters(value: unknown, name: string): ObjectPredicate[] {
  if (!Array.isArray(value)) throw invalidParams(`Invalid params: ${name}: expected an array`);
  return value.map((item, index) => readObjectFilter(item, `${name}[${index}]`));
}

/** Without type parameters every instance matches, with them only the same ones. */
function matchesType(type: string): ObjectPredicate {
  let filterType: string;
  try {
    filterType = normalizeStructTag(type);
  } catch {
    throw invalidParams(`Invalid params: filter.StructType: ${type} is not a struct tag`);
  }
  const open = parseStructTag(type).typeParams.length === 0;
  return (object) => {
    if (object.type === 'package') return false;
    const actual = normalizeStructTag(object.type);
    return actual === filterType || (open && actual.startsWith(`${filterType}<`));
  };
}

function tagOf({ type }: ObjectRecord) {
  return type === 'package' ? null : parseStructTag(type);
}
