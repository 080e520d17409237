import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { HttpReply } from '../send-http.js';
import { kindBytes } from '../../../support/unpaid-transaction.js';
import { moveCallWith, readClockProgram, signRaw } from '../../../support/raw-transaction.js';
import type { AttackClient } from '../attack-client.js';
import type { Attacker } from '../attacker.js';

const GAS_BUDGET = 10_000_000;
const RESERVED_SECS = 15;
const GAS_USES_OF_CALL = 500;
const CALLS = 230;

/** Reserves, and executes something that reads the clock. */
function readClock(client: AttackClient, user: Ed25519Keypair): Promise<HttpReply | null> {
  return client.sponsor(user, readClockProgram(), { gasBudget: GAS_BUDGET });
}

/** The hook of the attacked system never answers about this caller's transactions. */
const stallHook: Attacker = {
  name: 'stall-hook',
  aim: 'make the hook time out until it is closed to everybody, or take all of its places',
  async run(_target, client) {
    const user = new Ed25519Keypair();
    const stall = () => client.repeat(100, () => readClock(client, user));
    await Promise.all(Array.from({ length: 8 }, stall));
  },
};

/** The rules of the attacked system let each of its senders execute once an hour. */
const exceedLimits: Attacker = {
  name: 'exceed-limits',
  aim: 'make the node be read for transactions whose sender has used its limit up',
  async run(_target, client) {
    const usedUp = new Ed25519Keypair();
    let turn = 0;
    await client.repeat(50, () => {
      // Every other sender is new and passes.
      const user = turn++ % 2 === 0 ? usedUp : new Ed25519Keypair();
      return readClock(client, user);
    });
  },
};

const repeatLanded: Attacker = {
  name: 'repeat-landed',
  aim: 'make the node be read for each repetition of one executed transaction',
  async run(_target, client) {
    const user = new Ed25519Keypair();
    const reservation = await client.reserve(GAS_BUDGET, RESERVED_SECS);
    if (!reservation) return;
    const transaction = await signRaw({ program: readClockProgram(), user, reservation });
    await client.repeat(10, () => client.execute(reservation, transaction));
  },
};

const dryRunWhilePaused: Attacker = {
  name: 'dry-run-while-paused',
  aim: 'use the node after an operator has stopped its token',
  async run(target, client) {
    const paused = { token: this.name, reason: 'attacks' };
    await client.post('pause', '/v1/pause', paused, target.configuredToken);
    const sender = new Ed25519Keypair().toIotaAddress();
    const body = { sender, kind_bytes: kindBytes(readClockProgram()) };
    await client.repeat(10, () => client.post('dry run', '/v1/dry_run_tx', body));
  },
};

/** Its bytes are made once: to encode them takes longer than to refuse them. */
const useGasCoinManyTimes: Attacker = {
  name: 'use-gas-coin-many-times',
  aim: 'keep gateways busy with decoding transactions that are refused',
  async run(target, client) {
    const uses = Array.from({ length: GAS_USES_OF_CALL }, () => ({ GasCoin: true as const }));
    const call = moveCallWith('0x2::m::f', uses);
    const { tx_bytes, user_sig } = await signRaw({
      program: { inputs: [], commands: Array.from({ length: CALLS }, () => call) },
      user: new Ed25519Keypair(),
      reservation: { sponsor_address: target.sponsors[0]!, gas_coins: [] },
    });
    await client.repeat(20, () => client.execute({ reservation_id: 64 }, { tx_bytes, user_sig }));
  },
};

/** Attackers who use what a gateway does for every call: its hook, its node, its processor. */
export const burdenGateways: readonly Attacker[] = [
  stallHook,
  exceedLimits,
  repeatLanded,
  dryRunWhilePaused,
  useGasCoinManyTimes,
];
