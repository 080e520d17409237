import { compileModule, type DeclaredModule } from '../../move-bytecode/index.js';
import { bcs } from '@iota/iota-sdk/bcs';
import { CachedPackages } from './cached-packages.js';
import { readPackage } from './read-package.js';

const Package = bcs.struct('MovePackage', {
  id: bcs.Address,
  version: bcs.u64(),
  modules: bcs.vector(bcs.tuple([bcs.string(), bcs.byteVector()])),
  typeOrigins: bcs.vector(
    bcs.struct('TypeOrigin', { module: bcs.string(), name: bcs.string(), package: bcs.Address }),
  ),
  linkage: bcs.vector(bcs.tuple([bcs.Address, bcs.Address, bcs.u64()])),
});

export interface PackageDraft {
  readonly id: string;
  readonly modules: readonly Pick<DeclaredModule, 'name' | 'types' | 'functions'>[];
  /** The first version; default the package itself. */
  readonly firstId?: string;
  /** Types of earlier versions, `module::name` → that version. */
  readonly origins?: Readonly<Record<string, string>>;
  /** First versions of other packages → the linked ones. */
  readonly linkage?: Readonly<Record<string, string>>;
}

/** A package as an object over gRPC. */
export function packageObject({
  id,
  modules,
  firstId = id,
  origins = {},
  linkage = {},
}: PackageDraft): Uint8Array {
  const content = Package.serialize({
    id,
    version: 1,
    modules: modules.map((one) => [one.name, compileModule({ package: firstId, ...one })]),
    typeOrigins: modules.flatMap(({ name: module, types }) =>
      types.map(({ name }) => ({ module, name, package: origins[`${module}::${name}`] ?? id })),
    ),
    linkage: Object.entries(linkage).map(([first, linked]) => [first, linked, 1]),
  }).toBytes();
  return Uint8Array.from([0, 1, ...content]);
}

const U64 = (...names: string[]) => names.map((name): [string, string] => [name, 'u64']);

/** The types of the system package that are emitted as events in recordings, as its source declares them. */
export const SYSTEM_PACKAGE = packageObject({
  id: '0x3',
  modules: [
    {
      name: 'validator',
      types: [
        {
          name: 'StakingRequestEvent',
          fields: [
            ['pool_id', '0x2::object::ID'],
            ['validator_address', 'address'],
            ['staker_address', 'address'],
            ...U64('epoch', 'amount'),
          ],
        },
      ],
    },
    {
      name: 'staking_pool',
      types: [
        {
          name: 'PoolTokenExchangeRate',
          fields: U64('iota_amount', 'pool_token_amount'),
        },
      ],
    },
    {
      name: 'validator_set',
      types: [
        {
          name: 'ValidatorEpochInfoEventV1',
          fields: [
            ...U64('epoch'),
            ['validator_address', 'address'],
            ...U64('reference_gas_survey_quote', 'stake', 'voting_power', 'commission_rate'),
            ...U64('pool_staking_reward'),
            ['pool_token_exchange_rate', '0x3::staking_pool::PoolTokenExchangeRate'],
            ['tallying_rule_reporters', 'vector<address>'],
            ...U64('tallying_rule_global_score'),
          ],
        },
      ],
    },
    {
      name: 'iota_system_state_inner',
      types: [
        {
          name: 'SystemEpochInfoEventV2',
          fields: U64(
            'epoch',
            'protocol_version',
            'total_stake',
            'storage_charge',
            'storage_rebate',
            'storage_fund_balance',
            'total_gas_fees',
            'total_stake_rewards_distributed',
            'burnt_tokens_amount',
            'minted_tokens_amount',
            'tips_amount',
          ),
        },
      ],
    },
  ],
});

/** A ledger with these packages. */
export function packagesOf(...objects: readonly Uint8Array[]): CachedPackages {
  const known = new Map(objects.map((bytes) => [readPackage(bytes).id, bytes]));
  return new CachedPackages((ids) => Promise.resolve(ids.map((id) => known.get(id) ?? null)));
}
