import { toBase64 } from '@iota/iota-sdk/utils';
import type { EngineInterface, ObjectLookup, ObjectRecord } from '../../engine/engine-interface.js';
import type { ObjectOptions } from './read-object-options.js';

/** `{data}` or `{error}`, the response of `iota_getObject`. Versions are strings here. */
export function showLookup(
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

export function showObject(
  engine: EngineInterface,
  object: ObjectRecord,
  options: ObjectOptions,
): object {
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
