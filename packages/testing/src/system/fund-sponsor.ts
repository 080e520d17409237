import type { IotaClient } from '@iota/iota-sdk/client';
import { requestIotaFromFaucetV0 } from '@iota/iota-sdk/faucet';

/**
 * Ensures that a sponsor on a public network owns coins: requests them from the faucet, if one is
 * configured. Otherwise throws `Error` with the address that needs coins.
 */
export async function fundSponsor(
  ledger: IotaClient,
  address: string,
  faucetUrl: string | undefined,
): Promise<bigint> {
  const balance = async () => BigInt((await ledger.getBalance({ owner: address })).totalBalance);
  const owned = await balance();
  if (owned > 0n) return owned;
  if (!faucetUrl) {
    throw new Error(
      `the sponsor ${address} owns no coins on the ledger at LEDGER_URL: send coins to it, or name a faucet with FAUCET_URL`,
    );
  }
  await requestIotaFromFaucetV0({ host: faucetUrl, recipient: address });
  return balance();
}
