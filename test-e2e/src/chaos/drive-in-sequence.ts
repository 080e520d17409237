import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { buildCar } from '../support/ledger-user.js';
import type { ObjectRef } from '../support/raw-transaction.js';
import { repeatWhileRefused } from './repeat-while-refused.js';
import type { Answer } from './sponsored-call.js';
import { type ClientParts, executeOnce, type Request, reserve } from './sponsor-once.js';

/** Storing a car costs more than a usual transaction. */
const BUDGET = 20_000_000;

type Executed = Extract<Answer, { kind: 'executed' }>;

/**
 * A user who builds a car and drives it, one transaction right after the other: either with the reference
 * from the previous effects, or by the car's id, which a lagging node still shows in an earlier version. Each
 * drive is a separate action.
 */
export async function driveInSequence(
  parts: ClientParts,
  request: Request,
  drives: number,
): Promise<void> {
  const user = new Ed25519Keypair();
  const address = user.toIotaAddress();
  const act = (step: number, build: (tx: Transaction) => void) =>
    repeatWhileRefused(parts, async () => {
      const options = { user, build, gasBudget: BUDGET };
      const one: Request = { ...request, action: `${request.action}.${step}`, options };
      const reservation = await reserve(parts, one);
      return reservation && executeOnce(parts, one, reservation);
    });
  const built = await act(0, (tx) => buildCar(tx, 'Mini', address));
  let car = built?.kind === 'executed' ? referenceIn(built) : null;
  for (let step = 1; car !== null && step <= drives; step++) {
    if (parts.stopping.aborted) return;
    const current: ObjectRef = car;
    const driven = await act(step, (tx) => {
      const input =
        request.behaviour === 'by id' ? tx.object(current.objectId) : tx.objectRef(current);
      tx.moveCall({ target: '0xdec0::garage::drive', arguments: [input, tx.pure.u64(1)] });
    });
    car = driven?.kind === 'executed' ? referenceIn(driven, current.objectId) : null;
  }
}

interface Written {
  readonly reference: ObjectRef;
}

/** The object's reference in the effects; without an id, that of the one created object. */
function referenceIn({ effects }: Executed, id?: string): ObjectRef | null {
  const { created = [], mutated = [] } = effects as { created?: Written[]; mutated?: Written[] };
  const written = id === undefined ? created : mutated;
  return (
    written.find(({ reference }) => id === undefined || reference.objectId === id)?.reference ??
    null
  );
}
