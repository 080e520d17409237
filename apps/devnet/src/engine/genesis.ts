import { bcs } from '@iota/iota-sdk/bcs';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describeObjectChanges } from './describe-effects.js';
import type {
  EffectsRecord,
  ExecutionRecord,
  GasCostSummary,
  OwnedReference,
  Owner,
  TransactionData,
} from './engine-interface.js';
import { storageCost, U64_MAX, sizeForGas } from './gas-schedule.js';
import { digestOf, digestOfText, hash, fullId, toHexId } from './hash.js';
import { COIN_LAYOUT, type Fields, type StructLayout } from './move-value.js';
import { COUNTER_TYPE } from './move/token-module.js';
import { COUNTER_LAYOUT } from './move/garage-module.js';
import { compiledModules, PACKAGE_IDS } from './move/move-library.js';
import { CLOCK_LAYOUT, SYSTEM_STATE_LAYOUT } from './move/system-modules.js';
import { StoredObject } from './stored-object.js';
import { GAS_COIN } from './type-tag.js';

export const CLOCK_ID = fullId('0x6');
export const SYSTEM_STATE_ID = fullId('0x5');
const NOBODY = fullId('0x0');
const SHARED: Owner = { Shared: { initial_shared_version: 1 } };
/** Number of the faucet's initial coins. */
const FAUCET_COINS = 4n;

/** The gas cost of a system transaction. */
export const NO_GAS: GasCostSummary = {
  computationCost: 0n,
  computationCostBurned: 0n,
  storageCost: 0n,
  storageRebate: 0n,
  nonRefundableStorageFee: 0n,
};

/** The gas object that a node shows for system transactions. */
export const NO_GAS_OBJECT: OwnedReference = {
  owner: { AddressOwner: NOBODY },
  reference: { objectId: NOBODY, version: 0, digest: '11111111111111111111111111111111' },
};

export interface GenesisRequest {
  readonly seed: string;
  readonly timestampMs: number;
  readonly faucetBalance: bigint;
  readonly funds: readonly { readonly owner: string; readonly amount: bigint }[];
}

export interface Genesis {
  readonly faucet: Ed25519Keypair;
  readonly counterId: string;
  readonly objects: readonly StoredObject[];
  readonly transaction: ExecutionRecord;
}

/** The ledger's first transaction and the objects it creates, derived from the seed. */
export function makeGenesis(request: GenesisRequest): Genesis {
  const { seed, timestampMs, funds } = request;
  const data: TransactionData = genesisData();
  const bytes = bcs.TransactionData.serialize({ V1: data }).toBytes();
  // The bytes are the same for every chain: the digest also covers the seed.
  const digest = digestOfText('Genesis', `${seed}|${digestOf('TransactionData', bytes)}`);
  const faucet = Ed25519Keypair.fromSecretKey(hash(Buffer.from(`faucet|${seed}`)));
  const counterId = derivedId(seed, 'counter');
  const make = (
    id: string,
    owner: Owner,
    type: string,
    layout: StructLayout | null,
    values: Fields,
  ): StoredObject => {
    const rebate = layout === COIN_LAYOUT ? storageCost(sizeForGas(type, 40)) : 0n;
    return new StoredObject(id, 1, owner, type, layout, values, digest, rebate);
  };
  const coins = [
    ...splitEvenly(request.faucetBalance).map((amount) => ({
      owner: faucet.toIotaAddress(),
      amount,
    })),
    ...funds,
  ];
  const objects = [
    ...PACKAGE_IDS.map(
      (id) =>
        new StoredObject(id, 1, 'Immutable', 'package', null, {}, digest, 0n, compiledModules(id)),
    ),
    make(SYSTEM_STATE_ID, SHARED, '0x3::iota_system::IotaSystemState', SYSTEM_STATE_LAYOUT, {
      version: 2n,
    }),
    make(CLOCK_ID, SHARED, '0x2::clock::Clock', CLOCK_LAYOUT, {
      timestamp_ms: 0n,
    }),
    make(counterId, SHARED, COUNTER_TYPE, COUNTER_LAYOUT, { value: 0n }),
    ...coins.map(({ owner, amount }, index) =>
      make(
        derivedId(seed, `coin ${index}`),
        { AddressOwner: fullId(owner) },
        GAS_COIN,
        COIN_LAYOUT,
        { balance: amount },
      ),
    ),
  ];
  return {
    faucet,
    counterId,
    objects,
    transaction: {
      digest,
      bytes,
      data,
      effects: genesisEffects(digest, objects),
      events: [],
      objectChanges: describeObjectChanges(
        NOBODY,
        objects.map((after) => ({ before: null, after })),
        1,
      ),
      balanceChanges: coins.map(({ owner, amount }) => ({
        owner: { AddressOwner: fullId(owner) },
        coinType: '0x2::iota::IOTA',
        amount,
      })),
      timestampMs,
    },
  };
}

/** At least four coins, and as many as needed for each to be at most 2^64 - 1. */
function splitEvenly(total: bigint): bigint[] {
  const least = (total + U64_MAX - 1n) / U64_MAX;
  const count = least > FAUCET_COINS ? least : FAUCET_COINS;
  return Array.from({ length: Number(count) }, (_, index) =>
    index === 0 ? total / count + (total % count) : total / count,
  );
}

function derivedId(seed: string, name: string): string {
  return toHexId(hash(Buffer.from(`genesis|${seed}|${name}`)));
}

/** The data of a system transaction, without a sender and free. */
export function systemData(kind: 'Genesis' | 'ChangeEpoch' | 'ConsensusCommitPrologue') {
  const bytes = bcs.TransactionData.serialize({
    V1: {
      kind: { [kind]: true } as { Genesis: true },
      sender: NOBODY,
      gasData: { payment: [], owner: NOBODY, price: 1, budget: 0 },
      expiration: { None: true },
    },
  }).toBytes();
  return bcs.TransactionData.parse(bytes).V1;
}

function genesisData(): TransactionData {
  return systemData('Genesis');
}

function genesisEffects(digest: string, objects: readonly StoredObject[]): EffectsRecord {
  return {
    status: { status: 'success' },
    executedEpoch: 0n,
    gasUsed: NO_GAS,
    modifiedAtVersions: [],
    sharedObjects: [],
    transactionDigest: digest,
    created: objects.map(({ owner, reference }) => ({ owner, reference })),
    mutated: [],
    unwrapped: [],
    deleted: [],
    unwrappedThenDeleted: [],
    wrapped: [],
    gasObject: NO_GAS_OBJECT,
    eventsDigest: null,
    dependencies: [],
    lamportVersion: 1,
    digest: digestOfText('TransactionEffects', digest),
  };
}
