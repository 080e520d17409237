import type { AttackClient } from '../attack-client.js';
import type { Attacker } from '../attacker.js';

const AT_ONCE = 32;

/** Repeats a read of records over many connections. */
const readAgainAndAgain = (client: AttackClient, what: string, path: string) =>
  Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      client.repeat(100, () => client.get(what, path, client.token)),
    ),
  ).then(() => undefined);

const sumUsage: Attacker = {
  name: 'sum-usage',
  aim: 'occupy all readers of history with expensive reports',
  run: (_target, client) =>
    readAgainAndAgain(client, 'usage', '/v1/usage?group_by=sender,package,function'),
};

const listNothing: Attacker = {
  name: 'list-nothing',
  aim: 'have all open reservations searched for a list that nothing matches',
  run: (_target, client) =>
    readAgainAndAgain(client, 'list', `/v1/sponsorships?sender=0x${'e'.repeat(64)}`),
};

const releaseReservations: Attacker = {
  name: 'release-reservations',
  aim: 'fill history with unused reservations',
  async run(_target, client) {
    await client.repeat(5, async () => {
      const reservation = await client.reserve(10_000_000, 10);
      if (!reservation) return client.pause(200);
      const { reservation_id } = reservation;
      return client.post('release', '/v1/release_gas', { reservation_id });
    });
  },
};

/** Attackers whose reads and records would grow with those of other callers. */
export const burdenRecords: readonly Attacker[] = [sumUsage, listNothing, releaseReservations];
