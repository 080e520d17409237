import type { Attacker } from '../attacker.js';
import { amplifyQueries } from './amplify-queries.js';
import { burdenGateways } from './burden-gateways.js';
import { burdenIndex } from './burden-index.js';
import { burdenRecords } from './burden-records.js';
import { chargeHighGasPrice } from './charge-high-gas-price.js';
import { drainBySmashing } from './drain-by-smashing.js';
import { fillTheQueue } from './fill-the-queue.js';
import { floodSubscriptions } from './flood-subscriptions.js';
import { guessTokens } from './guess-tokens.js';
import { hoardReservations, hoardWithConfiguredToken } from './hoard-reservations.js';
import { listMadeUpInputs } from './list-made-up-inputs.js';
import { lockObjectsOfOthers } from './lock-objects-of-others.js';
import { listenerAttackers } from './on-listeners.js';
import { probeDocumentationPaths } from './probe-documentation-paths.js';
import { raceForObjects } from './race-for-objects.js';
import { speakToCoinPool } from './speak-to-coin-pool.js';
import { submitUnacceptableInputs } from './submit-unacceptable-inputs.js';

/** All attackers. */
export const attackers: readonly Attacker[] = [
  drainBySmashing,
  submitUnacceptableInputs,
  lockObjectsOfOthers,
  floodSubscriptions,
  amplifyQueries,
  hoardReservations,
  hoardWithConfiguredToken,
  speakToCoinPool,
  chargeHighGasPrice,
  probeDocumentationPaths,
  listMadeUpInputs,
  guessTokens,
  ...burdenGateways,
  ...burdenRecords,
  ...burdenIndex,
  raceForObjects,
  fillTheQueue,
  ...listenerAttackers,
];

/** The attackers with these names; all of them without names. Throws naming unknown attackers. */
export function choose(names: readonly string[]): readonly Attacker[] {
  const unknown = names.filter((name) => !attackers.some((one) => one.name === name));
  if (unknown.length > 0) {
    const known = attackers.map(({ name }) => name).join(', ');
    throw new Error(`unknown attacker ${unknown.join(', ')}; choose from ${known}`);
  }
  return names.length === 0 ? attackers : attackers.filter(({ name }) => names.includes(name));
}
