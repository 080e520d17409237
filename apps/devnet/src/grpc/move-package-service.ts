import { MovePackageService } from '@forecourt/ledger/node-messages';
import { chooseView } from '../views/lagging-view.js';
import type { Handlers } from './grpc-calls.js';
import { listPackageVersions } from './package-versions.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';

const NAME = EQUIVALENTS.ListPackageVersions;

/** The methods of `MovePackageService`. */
export function movePackageService({
  engine,
  fullNode,
  faultyCalls,
}: ServedNode): Handlers<typeof MovePackageService> {
  return {
    listPackageVersions: {
      name: () => NAME,
      answer: (request) =>
        faultyCalls.run(NAME, [], async () =>
          listPackageVersions(engine, chooseView(fullNode, faultyCalls.faults, NAME), request),
        ),
    },
  };
}
