import { type ListOwnedObjectsRequest, StateService } from '@forecourt/ledger/node-messages';
import { chooseView, type LedgerView } from '../views/lagging-view.js';
import { describeCoin } from './describe-coin.js';
import { listDynamicFields } from './dynamic-fields.js';
import type { Handlers } from './grpc-calls.js';
import { listOwnedObjects } from './owned-objects.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';

/** The methods of `StateService`. */
export function stateService(node: ServedNode): Handlers<typeof StateService> {
  const { fullNode, faultyCalls, profiles } = node;
  const guarded = <T>(name: string, run: (view: LedgerView) => T): Promise<T> =>
    faultyCalls.run(name, [], async () => run(chooseView(fullNode, faultyCalls.faults, name)));
  return {
    getCoinInfo: {
      name: () => EQUIVALENTS.GetCoinInfo,
      answer: (request) => guarded(EQUIVALENTS.GetCoinInfo, () => describeCoin(node, request)),
    },
    listDynamicFields: {
      name: () => EQUIVALENTS.ListDynamicFields,
      answer: (request) =>
        guarded(EQUIVALENTS.ListDynamicFields, () => listDynamicFields(request, profiles.current)),
    },
    listOwnedObjects: {
      name: nameOf,
      answer: (request) =>
        guarded(nameOf(request), (view) => listOwnedObjects(view, request, profiles.current)),
    },
  };
}

/** A call that names a type of coin stands for a call for coins. */
function nameOf({ objectType }: ListOwnedObjectsRequest): string {
  const isOfCoins = /^0x0*2::coin::Coin<.+>$/.test(objectType ?? '');
  return isOfCoins ? EQUIVALENTS.ListCoins : EQUIVALENTS.ListOwnedObjects;
}
