import { type Demand, sampleDemand } from './sample-demand.js';
import { seededRandom } from './seeded-random.js';
import type { Simulation } from './simulation.js';

export const GAS_PRICE = 1_000n;
/** The size that coins are made in. */
export const TARGET_BALANCE = 100_000_000n;

/** The demands of a simulation, one after the other. */
export function demandsOf({ seed }: Pick<Simulation, 'seed'>): () => Demand {
  const random = seededRandom(seed);
  return () => sampleDemand(random, TARGET_BALANCE, GAS_PRICE);
}
