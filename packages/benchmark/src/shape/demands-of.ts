import { type Demand, sampleDemand } from './sample-demand.js';
import { seededRandom } from './seeded-random.js';
import type { Simulation } from './simulation.js';

export const GAS_PRICE = 1_000n;
/** The size of new coins. */
export const TARGET_BALANCE = 100_000_000n;

/** The demands of a simulation, in order. */
export function demandsOf({ seed }: Pick<Simulation, 'seed'>): () => Demand {
  const random = seededRandom(seed);
  return () => sampleDemand(random, TARGET_BALANCE, GAS_PRICE);
}
