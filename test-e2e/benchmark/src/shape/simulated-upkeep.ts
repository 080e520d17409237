import {
  CoinSplitter,
  DustConsolidator,
  MaintenanceService,
  PoolFiller,
  PoolMetrics,
} from '@forecourt/coin-pool/upkeep';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import type { Ledger, Signer } from '@forecourt/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { partial } from '@forecourt/testing/system';
import type { SimulatedLedger } from './simulated-ledger.js';

type Settings = ConstructorParameters<typeof PoolFiller>[3];
type Guard = ConstructorParameters<typeof MaintenanceService>[4];

/** The coin-pool's services that fill a pool and consolidate its dust, on a simulated ledger. */
export function createUpkeep(
  redis: CoinStoreRedis,
  simulated: SimulatedLedger,
  signer: Signer,
  simulatedSettings: Partial<Settings>,
) {
  const logger = createLogger('simulation', 'silent');
  const metrics = new PoolMetrics(new Metrics());
  const signers = new Signers([signer]);
  const guard = partial<Guard>({ remember: () => undefined });
  const ledger = partial<Ledger>(simulated);
  const settings = partial<Settings>(simulatedSettings);
  const maintenance = new MaintenanceService(
    redis,
    ledger,
    signers,
    settings,
    guard,
    metrics,
    logger,
  );
  const splitter = new CoinSplitter(ledger, maintenance, settings);
  return {
    filler: new PoolFiller(redis, splitter, signers, settings, metrics, logger),
    consolidator: new DustConsolidator(redis, ledger, maintenance, signers, settings, logger),
  };
}
