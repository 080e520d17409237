import {
  beginWithdrawal,
  endWithdrawal,
  MAX_COINS_PER_RESERVATION,
  readDrain,
} from '@forecourt/coin-store';
import { maintenanceBudget } from '@forecourt/ledger';
import type { Ledger } from '@forecourt/ledger';
import type { MaintenanceDependencies } from '../filling/maintenance-dependencies.js';
import { MaintenanceFailed } from '../filling/maintenance-failed.js';
import { carryOut, LEASE_MS } from '../filling/run-maintenance.js';
import { mayReceive, type ReceiverRules } from './may-receive.js';

/** Dependencies of sending a sponsor's funds away. */
export type WithdrawDependencies = MaintenanceDependencies &
  ReceiverRules & { readonly ledger: Pick<Ledger, 'buildWithdrawal'> };

/**
 * Sends the next coins of an ordered withdrawal, and ends it once the remainder is not worth its gas. An order
 * alone moves nothing: this process must be configured to send to the address. Throws `MaintenanceFailed`, and
 * `Error` for another address.
 */
export async function withdrawFunds(
  dependencies: WithdrawDependencies,
  sponsor: string,
): Promise<void> {
  const { redis, ledger, logger } = dependencies;
  const { withdrawal } = await readDrain(redis, sponsor);
  if (withdrawal === null || withdrawal.ended !== null) return;
  const { to } = withdrawal;
  if (to === sponsor || !mayReceive(dependencies, to)) {
    throw new Error(
      `The withdrawal to ${to} is not allowed: add it to WITHDRAW_ADDRESSES, or undrain the sponsor`,
    );
  }
  const maxCoins = MAX_COINS_PER_RESERVATION;
  const begun = await beginWithdrawal(redis, sponsor, { to, maxCoins, leaseMs: LEASE_MS });
  if (begun === null) return;
  const { referenceGasPrice: gasPrice, epoch: expirationEpoch } = await ledger.status();
  const gasBudget = maintenanceBudget(0, gasPrice);
  const outcome = await carryOut(dependencies, sponsor, 'withdrawal', begun, async (coins) => {
    const sum = coins.reduce((total, { balance }) => total + balance, 0n);
    if (sum < gasBudget) return null;
    const request = { sponsor, coins, to, gasPrice, gasBudget, expirationEpoch };
    return { ...(await ledger.buildWithdrawal(request)), amount: 0n };
  });
  if (outcome === 'failed') throw new MaintenanceFailed('Funds could not be withdrawn');
  if (outcome !== 'idle' || !(await endWithdrawal(redis, sponsor, { to }))) return;
  const { withdrawal: ended } = await readDrain(redis, sponsor);
  const { coins, balance, gas, digest } = ended ?? withdrawal;
  logger.info(
    { sponsor, to, coins, arrived: String(balance - gas), digest },
    'Withdrawal ended: what is left is not worth its gas',
  );
}
