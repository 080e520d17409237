import type { AttackClient } from '../attack-client.js';
import type { Attacker } from '../attacker.js';
import { longestReservationSecs, type Target } from '../target.js';

const BUDGETS = [1_999_999_999, 500_000_000, 10_000_000];

async function hoard(target: Target, client: AttackClient, token: string): Promise<void> {
  let turn = 0;
  await client.repeat(100, async () => {
    const budget = BUDGETS[turn++ % BUDGETS.length]!;
    const reservation = await client.reserve(budget, longestReservationSecs(target), token);
    if (!reservation) await client.pause(200);
  });
}

/** Reserves as much as it can for as long as it can, and uses none of it. */
export const hoardReservations: Attacker = {
  name: 'hoard-reservations',
  aim: 'leave no coins to other callers, with its own token',
  run: (target, client) => hoard(target, client, client.token),
};

/** The same with the token of the environment, which has no entry in the file of tokens. */
export const hoardWithConfiguredToken: Attacker = {
  name: 'hoard-with-configured-token',
  aim: 'leave no coins to other callers, with the token of GAS_STATION_AUTH',
  run: (target, client) => hoard(target, client, target.configuredToken),
};
