import { readAddress, readList } from '../../json-rpc/read-params.js';
import { invalidParams } from '@forecourt/json-rpc';
import type { RpcMethod } from '../rpc-method.js';
import { readObjectOptions } from './read-object-options.js';
import { showLookup } from './show-object.js';

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
    const shown = readObjectOptions(options);
    return ids.map((id) => showLookup(engine, id, view.getObject(id), shown));
  },
};
