import type { DevnetConfig } from './devnet-config.js';
import { Engine } from './engine/engine.js';

/** When a seeded chain began: a fixed instant, since the chain's identity depends on it. */
const SEEDED_GENESIS_MS = Date.UTC(2026, 0, 1);

/** The ledger as configured. Its clock is the machine's, but for the genesis of a seeded chain. */
export function createLedger(config: DevnetConfig): Engine {
  let atGenesis = config.seed !== null;
  const ledger = new Engine({
    ...(config.seed !== null && { seed: config.seed }),
    now: () => (atGenesis ? SEEDED_GENESIS_MS : Date.now()),
    referenceGasPrice: config.referenceGasPrice,
    genesisFunds: config.genesisFunds,
    ...(config.epochSeconds !== null && { epochDurationMs: config.epochSeconds * 1000 }),
  });
  atGenesis = false;
  return ledger;
}
