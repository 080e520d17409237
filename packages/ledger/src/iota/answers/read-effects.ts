import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { ExpectedPayment } from '../../expected-payment.js';
import { netGas } from '../../sponsor-cost.js';
import type { TransactionEffects } from '../../executed-transaction.js';
import type { NodeAnswer } from './node-answer.js';

const STATUSES: ReadonlySet<string> = new Set(['success', 'failure']);
const COSTS = ['computationCost', 'storageCost', 'storageRebate', 'nonRefundableStorageFee'];
/** Larger charges and refunds would take more storage than nodes have; the pool counts smaller ones only. */
const LARGEST_GAS = 10n ** 18n - 1n;
const WRITTEN = ['created', 'mutated', 'unwrapped'];
const GONE = ['deleted', 'wrapped', 'unwrappedThenDeleted'];

/**
 * The only origin of effects, which callers see in the JSON of nodes: those of any call and dialect. Checks
 * the fields that Forecourt reads. Throws `NodeFailure` where one is malformed or out of range, and where the
 * effects are those of another transaction.
 */
export function readEffects(
  effects: NodeAnswer,
  digest: string,
  payment?: ExpectedPayment,
): TransactionEffects {
  effects.field('transactionDigest').expect(digest);
  const status = effects.field('status').field('status');
  if (!STATUSES.has(status.text())) throw status.malformed('success or failure');
  const error = effects.field('status').field('error');
  if (!error.isAbsent) error.text();
  effects.field('executedEpoch').amount();
  for (const cost of COSTS) effects.field('gasUsed').field(cost).amount();
  const read = effects.raw as TransactionEffects;
  const gas = netGas(read);
  if (gas > LARGEST_GAS || gas < -LARGEST_GAS) throw effects.field('gasUsed').malformed('in range');
  checkReference(effects.field('gasObject').field('reference'));
  for (const name of WRITTEN) {
    for (const written of listIn(effects, name)) checkReference(written.field('reference'));
  }
  for (const name of GONE) listIn(effects, name).forEach(checkReference);
  if (payment) checkPayment(effects, gas, payment);
  return read;
}

function checkReference(reference: NodeAnswer): void {
  reference.field('objectId').objectId();
  reference.field('version').natural();
  reference.field('digest').digest();
}

/** Nodes leave out empty lists. */
function listIn(effects: NodeAnswer, name: string): readonly NodeAnswer[] {
  const list = effects.field(name);
  return list.isAbsent ? [] : list.items();
}

function checkPayment(
  effects: NodeAnswer,
  gas: bigint,
  { gasPayment, gasOwner, gasBudget, maySendGasCoin }: ExpectedPayment,
): void {
  const [first] = gasPayment;
  if (first === undefined) return;
  const owner = effects.field('gasObject').field('owner');
  const reference = effects.field('gasObject').field('reference');
  reference.field('objectId').expect(first.objectId);
  const oldest = Math.max(...gasPayment.map(({ version }) => version));
  const version = reference.field('version');
  if (version.natural() <= oldest) throw version.malformed(`above ${oldest}`);
  if (gasBudget !== undefined && gas > gasBudget) {
    throw effects.field('gasUsed').malformed(`within the budget of ${gasBudget}`);
  }
  if (maySendGasCoin) return;
  const address = owner.field('AddressOwner').text();
  if (normalizeIotaAddress(address) !== gasOwner) throw owner.malformed(`the sponsor ${gasOwner}`);
}
