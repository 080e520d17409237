import { normalizeStructTag, parseStructTag } from '@iota/iota-sdk/utils';
import type { EventRecord } from '../engine/engine-interface.js';
import { invalidParams } from '@forecourt/contracts';
import {
  readAddress,
  readDigest,
  readInteger,
  readObject,
  readText,
} from '../json-rpc/read-params.js';
import { hasField } from './matches-event.js';

export type EventPredicate = (event: EventRecord) => boolean;

/** Reads an event filter: exactly one key of the kinds a node knows. Throws -32602 otherwise. */
export function readEventFilter(value: unknown, name = 'query'): EventPredicate {
  const filter = readObject(value, name);
  const keys = Object.keys(filter);
  const [kind = ''] = keys;
  if (keys.length !== 1) throw invalidParams(`Invalid params: ${name}: expected exactly one key`);
  const argument = filter[kind];
  const path = `${name}.${kind}`;
  switch (kind) {
    case 'All':
    case 'And': {
      const parts = readParts(argument, path);
      return (event) => parts.every((matches) => matches(event));
    }
    case 'Any':
    case 'Or': {
      const parts = readParts(argument, path);
      return (event) => parts.some((matches) => matches(event));
    }
    case 'Sender': {
      const sender = readAddress(argument, path);
      return (event) => event.sender === sender;
    }
    case 'Transaction': {
      const digest = readDigest(argument, path);
      return ({ id }) => id.txDigest === digest;
    }
    case 'Package': {
      const id = readAddress(argument, path);
      return ({ packageId }) => readAddress(packageId, path) === id;
    }
    case 'MoveModule': {
      const [id, module] = readModule(argument, path);
      return (event) =>
        readAddress(event.packageId, path) === id && event.transactionModule === module;
    }
    case 'MoveEventModule': {
      const [id, module] = readModule(argument, path);
      return ({ type }) => {
        const tag = parseStructTag(type);
        return tag.address === id && tag.module === module;
      };
    }
    case 'MoveEventType': {
      const eventType = readType(argument, path);
      return ({ type }) => normalizeStructTag(type) === eventType;
    }
    case 'MoveEventField': {
      const { path: pointer, value: expected } = readObject(argument, path);
      const tokens = readText(pointer, `${path}.path`).split('/').slice(1);
      return ({ fields }) => hasField(fields, tokens, expected);
    }
    case 'TimeRange': {
      const { startTime, endTime } = readObject(argument, path);
      const start = readInteger(startTime, `${path}.startTime`);
      const end = readInteger(endTime, `${path}.endTime`);
      return ({ timestampMs }) => BigInt(timestampMs) >= start && BigInt(timestampMs) < end;
    }
    default:
      throw invalidParams(`Invalid params: ${name}: unknown filter ${kind}`);
  }
}

function readParts(value: unknown, name: string): EventPredicate[] {
  if (!Array.isArray(value)) throw invalidParams(`Invalid params: ${name}: expected an array`);
  return value.map((item, index) => readEventFilter(item, `${name}[${index}]`));
}

function readModule(value: unknown, name: string): [string, string] {
  const { package: packageId, module } = readObject(value, name);
  return [readAddress(packageId, `${name}.package`), readText(module, `${name}.module`)];
}

function readType(value: unknown, name: string): string {
  const text = readText(value, name);
  try {
    return normalizeStructTag(text);
  } catch {
    throw invalidParams(`Invalid params: ${name}: ${text} is not a struct tag`);
  }
}
