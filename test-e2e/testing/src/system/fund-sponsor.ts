import type { Ledger } from '@forecourt/ledger';
import { requestIotaFromFaucetV0 } from '@iota/iota-sdk/faucet';

/**
 * Ensures that a sponsor on a public network owns coins: requests them from the faucet, if one is
 * configured. Otherwise throws `Error` with the address that needs coins.
 */
export async function fundSponsor(
  ledger: Pick<Ledger, 'listGasCoins'>,
  address: string,
  faucetUrl: string | undefined,
): Promise<void> {
  for await (const page of ledger.listGasCoins(address)) {
    if (page.some(({ balance }) => balance > 0n)) return;
  }
  if (!faucetUrl) {
    throw new Error(
      `the sponsor ${address} owns no coins on the ledger at LEDGER_URL: send coins to it, or name a faucet with FAUCET_URL`,
    );
  }
  await requestIotaFromFaucetV0({ host: faucetUrl, recipient: address });
}
