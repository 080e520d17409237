import { invalidParams } from '@forecourt/contracts';
import { toBase64 } from '@iota/iota-sdk/utils';
import {
  readAddress,
  readList,
  optional,
  readLimit,
  readObject,
  readFlags,
} from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { readObjectFilter } from './matches-object-filter.js';
import type { EngineInterface, ObjectLookup, ObjectRecord } from '../../engine/engine-interface.js';

const MAX_IDS = 50;

export const getObject: RpcMethod = {
  name: 'iota_getObject',
  params: ['object_id', 'options'],
  summary: 'The latest version of one object.',
  run({ engine, view }, [objectId, options]) {
    const id = readAddress(objectId, 'object_id');
    return showLookup(engine, id, view.getObject(id), readObjectOptions(options));
  },
};

export const multiGetObjects: RpcMethod = {
  name: 'iota_multiGetObjects',
  params: ['object_ids', 'options'],
  summary: `The latest versions of up to ${MAX_IDS} objects, in the order requested.`,
  run({ engine, view }, [objectIds, options]) {
    const ids = readList(objectIds, 'object_ids', MAX_IDS, readAddress);
    if (new Set(ids).size !== ids.length) {
      throw invalidParams('Invalid params: object_ids: an id appears twice');
    }
    const parts = readObjectOptions(options);
    return ids.map((id) => showLookup(engine, id, view.getObject(id), parts));
  },
};

export const getOwnedObjects: RpcMethod = {
  name: 'iotax_getOwnedObjects',
  params: ['address', 'query', 'cursor', 'limit'],
  summary: 'The objects an address owns, page by page.',
  run({ engine, view }, [address, query, cursor, limit]) {
    const owner = readAddress(address, 'address');
    const { filter, options } = optional(query, 'query', readObject) ?? {};
    const matches = optional(filter, 'filter', (value) => readObjectFilter(value));
    const parts = readObjectOptions(options);
    const page = view.listOwnedObjects(owner, {
      cursor: optional(cursor, 'cursor', readAddress),
      limit: readLimit(limit, 50),
      ...(matches !== null && { filter: matches }),
    });
    return {
      ...page,
      data: page.data.map((object) => ({ data: showObject(engine, object, parts) })),
    };
  },
};

const OPTIONS = [
  'showType',
  'showOwner',
  'showPreviousTransaction',
  'showDisplay',
  'showContent',
  'showBcs',
  'showStorageRebate',
] as const;

/** The parts of an object that a response shows; only its reference by default. */
type ObjectOptions = Readonly<Record<(typeof OPTIONS)[number], boolean>>;

const readObjectOptions = (value: unknown): ObjectOptions => readFlags(value, 'options', OPTIONS);

/** `{data}` or `{error}`, the response of `iota_getObject`. Versions are strings here. */
function showLookup(
  engine: EngineInterface,
  id: string,
  lookup: ObjectLookup,
  options: ObjectOptions,
): object {
  switch (lookup.kind) {
    case 'found':
      return { data: showObject(engine, lookup.object, options) };
    case 'deleted': {
      const { objectId, version, digest } = lookup.reference;
      return { error: { code: 'deleted', object_id: objectId, version, digest } };
    }
    case 'unknown':
      return { error: { code: 'notExists', object_id: id } };
  }
}

function showObject(engine: EngineInterface, object: ObjectRecord, options: ObjectOptions): object {
  return {
    objectId: object.objectId,
    version: String(object.version),
    digest: object.digest,
    ...(options.showType && { type: object.type }),
    ...(options.showOwner && { owner: object.owner }),
    ...(options.showPreviousTransaction && { previousTransaction: object.previousTransaction }),
    ...(options.showStorageRebate && { storageRebate: String(object.storageRebate) }),
    ...(options.showDisplay && { display: { data: null, error: null } }),
    ...(options.showContent && { content: showContent(engine, object) }),
    ...(options.showBcs && { bcs: showBcs(engine, object) }),
  };
}

function showContent(engine: EngineInterface, object: ObjectRecord): object {
  if (object.type === 'package') {
    const modules = engine.getModuleNames(object.objectId) ?? [];
    const disassembled = Object.fromEntries(modules.map((name) => [name, '']));
    return { dataType: 'package', disassembled };
  }
  return { dataType: 'moveObject', type: object.type, fields: object.fields };
}

function showBcs(engine: EngineInterface, object: ObjectRecord): object {
  if (object.type === 'package') {
    const modules = engine.getModuleNames(object.objectId) ?? [];
    return {
      dataType: 'package',
      id: object.objectId,
      version: object.version,
      moduleMap: Object.fromEntries(modules.map((name) => [name, ''])),
      typeOriginTable: [],
      linkageTable: {},
    };
  }
  return {
    dataType: 'moveObject',
    type: object.type,
    version: object.version,
    bcsBytes: toBase64(object.contents),
  };
}
