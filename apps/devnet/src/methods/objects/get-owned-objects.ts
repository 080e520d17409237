import { optional, readAddress, readLimit, readObject } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { readObjectFilter } from './matches-object-filter.js';
import { readObjectOptions } from './read-object-options.js';
import { showObject } from './show-object.js';

export const getOwnedObjects: RpcMethod = {
  name: 'iotax_getOwnedObjects',
  params: ['address', 'query', 'cursor', 'limit'],
  summary: 'The objects an address owns, page by page.',
  run({ engine, view }, [address, query, cursor, limit]) {
    const owner = readAddress(address, 'address');
    const { filter, options } = optional(query, 'query', readObject) ?? {};
    const matches = optional(filter, 'filter', (value) => readObjectFilter(value));
    const shown = readObjectOptions(options);
    const page = view.listOwnedObjects(owner, {
      cursor: optional(cursor, 'cursor', readAddress),
      limit: readLimit(limit, 50),
      ...(matches !== null && { filter: matches }),
    });
    return {
      ...page,
      data: page.data.map((object) => ({ data: showObject(engine, object, shown) })),
    };
  },
};
