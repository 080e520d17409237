import { readAddress, readInteger, readList, readObject } from '../../json-rpc/read-params.js';
import type { EngineInterface } from '../../engine/engine-interface.js';
import type { LedgerView } from '../../views/ledger-view.js';
import type { RpcMethod } from '../rpc-method.js';
import { readObjectOptions, type ObjectOptions } from './read-object-options.js';
import { showObject } from './show-object.js';

export const tryGetPastObject: RpcMethod = {
  name: 'iota_tryGetPastObject',
  params: ['object_id', 'version', 'options'],
  summary: 'One object at one version, as far back as history is kept.',
  run({ engine, view }, [objectId, version, options]) {
    const id = readAddress(objectId, 'object_id');
    const asked = Number(readInteger(version, 'version'));
    return showPast(engine, view, id, asked, readObjectOptions(options));
  },
};

export const tryMultiGetPastObjects: RpcMethod = {
  name: 'iota_tryMultiGetPastObjects',
  params: ['past_objects', 'options'],
  summary: 'Up to 50 objects, each at one version.',
  run({ engine, view }, [pastObjects, options]) {
    const asked = readList(pastObjects, 'past_objects', 50, (item, name) => {
      const { objectId, version } = readObject(item, name);
      return {
        id: readAddress(objectId, `${name}.objectId`),
        version: Number(readInteger(version, `${name}.version`)),
      };
    });
    const shown = readObjectOptions(options);
    return asked.map(({ id, version }) => showPast(engine, view, id, version, shown));
  },
};

function showPast(
  engine: EngineInterface,
  view: LedgerView,
  id: string,
  version: number,
  options: ObjectOptions,
): object {
  const lookup = view.getPastObject(id, version);
  switch (lookup.kind) {
    case 'found':
      return { status: 'VersionFound', details: showObject(engine, lookup.object, options) };
    case 'deleted': {
      const { objectId, digest, version: at } = lookup.reference;
      return { status: 'ObjectDeleted', details: { objectId, version: at, digest } };
    }
    case 'unknown':
      return { status: 'ObjectNotExists', details: id };
    case 'version-not-found':
      return { status: 'VersionNotFound', details: [id, version] };
    case 'version-too-high':
      return {
        status: 'VersionTooHigh',
        details: { object_id: id, asked_version: version, latest_version: lookup.latest },
      };
  }
}
