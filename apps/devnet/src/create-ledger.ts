import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DevnetConfig } from './devnet-config.js';
import { Engine } from './engine/engine.js';
import { openDurableLedger } from './journal/open-durable-ledger.js';

/** Genesis time of a seeded chain: fixed, because the chain's identity depends on it. */
const SEEDED_GENESIS_MS = Date.UTC(2026, 0, 1);

/** A ledger, and a function that releases its resources. */
export interface OpenLedger {
  readonly engine: Engine;
  readonly close: () => void;
}

/**
 * Creates the configured ledger. It uses the machine's clock, except for the genesis of a seeded chain. Throws
 * `ConfigError`.
 */
export function createLedger(config: DevnetConfig): OpenLedger {
  const genesisMs = config.seed === null ? Date.now() : SEEDED_GENESIS_MS;
  const seed = config.seed ?? randomBytes(16).toString('hex');
  const { referenceGasPrice, genesisFunds, dataDir } = config;
  if (dataDir !== null) {
    mkdirSync(dataDir, { recursive: true });
    const funds = genesisFunds.map(({ owner, amount }) => ({ owner, amount: String(amount) }));
    const beginning = {
      seed,
      genesisMs,
      epochStartMs: Date.now(),
      referenceGasPrice: String(referenceGasPrice),
      funds,
    };
    return openDurableLedger(join(dataDir, 'ledger.sqlite'), config, beginning);
  }
  let atGenesis = true;
  const engine = new Engine({
    seed,
    referenceGasPrice,
    genesisFunds,
    epochStartMs: Date.now(),
    now: () => (atGenesis ? genesisMs : Date.now()),
    ...(config.epochSeconds !== null && { epochDurationMs: config.epochSeconds * 1000 }),
  });
  atGenesis = false;
  return { engine, close: () => undefined };
}
