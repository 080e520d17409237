import { type ListOwnedObjectsRequest, StateService } from '@forecourt/node-messages';
import { chooseView } from '../views/lagging-view.js';
import type { Handlers } from './grpc-calls.js';
import { listOwnedObjects } from './owned-objects.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';

/** The methods of `StateService`. */
export function stateService(node: ServedNode): Handlers<typeof StateService> {
  const { fullNode, faultyCalls, profiles } = node;
  return {
    listOwnedObjects: {
      name: nameOf,
      answer: (request) => {
        const name = nameOf(request);
        return faultyCalls.run(name, [], async () => {
          const view = chooseView(fullNode, faultyCalls.faults, name);
          return listOwnedObjects(view, request, profiles.current);
        });
      },
    },
  };
}

/** A call that names a type of coin stands for a call for coins. */
function nameOf({ objectType }: ListOwnedObjectsRequest): string {
  const isOfCoins = /^0x0*2::coin::Coin<.+>$/.test(objectType ?? '');
  return isOfCoins ? EQUIVALENTS.ListCoins : EQUIVALENTS.ListOwnedObjects;
}
