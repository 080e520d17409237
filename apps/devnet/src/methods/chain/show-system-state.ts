import { createHash } from 'node:crypto';

export interface SystemStateFacts {
  readonly epoch: bigint;
  readonly epochStartMs: number;
  readonly epochDurationMs: number;
  readonly referenceGasPrice: bigint;
  readonly totalSupply: bigint;
  readonly protocolVersion: number;
}

const STAKE = '2000000000000000';

/** Version 2 of the system state's summary, with the one validator a devnet has. Amounts are strings. */
export function showSystemState(facts: SystemStateFacts): object {
  const price = String(facts.referenceGasPrice);
  return {
    epoch: String(facts.epoch),
    protocolVersion: String(facts.protocolVersion),
    systemStateVersion: '2',
    iotaTotalSupply: String(facts.totalSupply),
    iotaTreasuryCapId: derivedId('treasury cap'),
    storageFundTotalObjectStorageRebates: '0',
    storageFundNonRefundableBalance: '0',
    referenceGasPrice: price,
    safeMode: false,
    safeModeStorageCharges: '0',
    safeModeComputationCharges: '0',
    safeModeComputationChargesBurned: '0',
    safeModeStorageRebates: '0',
    safeModeNonRefundableStorageFee: '0',
    epochStartTimestampMs: String(facts.epochStartMs),
    epochDurationMs: String(facts.epochDurationMs),
    minValidatorCount: '1',
    maxValidatorCount: '150',
    minValidatorJoiningStake: STAKE,
    validatorLowStakeThreshold: '1500000000000000',
    validatorVeryLowStakeThreshold: '1000000000000000',
    validatorLowStakeGracePeriod: '7',
    totalStake: STAKE,
    committeeMembers: ['0'],
    activeValidators: [showValidator(price)],
    pendingActiveValidatorsId: derivedId('pending validators'),
    pendingActiveValidatorsSize: '0',
    pendingRemovals: [],
    stakingPoolMappingsId: derivedId('pool mappings'),
    stakingPoolMappingsSize: '1',
    inactivePoolsId: derivedId('inactive pools'),
    inactivePoolsSize: '0',
    validatorCandidatesId: derivedId('candidates'),
    validatorCandidatesSize: '0',
    atRiskValidators: [],
    validatorReportRecords: [],
  };
}

/** The validator's public key of the committee, base64. */
export const VALIDATOR_KEY = derivedBytes('authority key', 96);
export const VALIDATOR_STAKE = STAKE;
/** Its share of all votes, of which there are 10 000. */
export const VALIDATOR_POWER = '10000';

function showValidator(gasPrice: string): object {
  return {
    iotaAddress: derivedId('validator'),
    authorityPubkeyBytes: VALIDATOR_KEY,
    networkPubkeyBytes: derivedBytes('network key', 32),
    protocolPubkeyBytes: derivedBytes('protocol key', 32),
    proofOfPossessionBytes: derivedBytes('proof of possession', 48),
    name: 'devnet',
    description: '',
    imageUrl: '',
    projectUrl: '',
    netAddress: '/ip4/127.0.0.1/tcp/9000/http',
    p2pAddress: '/ip4/127.0.0.1/udp/9001',
    primaryAddress: '/ip4/127.0.0.1/udp/9002',
    nextEpochAuthorityPubkeyBytes: null,
    nextEpochProofOfPossession: null,
    nextEpochNetworkPubkeyBytes: null,
    nextEpochProtocolPubkeyBytes: null,
    nextEpochNetAddress: null,
    nextEpochP2pAddress: null,
    nextEpochPrimaryAddress: null,
    votingPower: VALIDATOR_POWER,
    operationCapId: derivedId('operation cap'),
    gasPrice,
    commissionRate: '200',
    effectiveCommissionRate: '200',
    nextEpochStake: STAKE,
    nextEpochGasPrice: gasPrice,
    nextEpochCommissionRate: '200',
    stakingPoolId: derivedId('staking pool'),
    stakingPoolActivationEpoch: '0',
    stakingPoolDeactivationEpoch: null,
    stakingPoolIotaBalance: STAKE,
    rewardsPool: '0',
    poolTokenBalance: STAKE,
    pendingStake: '0',
    pendingTotalIotaWithdraw: '0',
    pendingPoolTokenWithdraw: '0',
    exchangeRatesId: derivedId('exchange rates'),
    exchangeRatesSize: '1',
  };
}

/** Stable stand-ins for objects and keys that exist on a real network only. */
export function derivedId(name: string): string {
  return `0x${createHash('sha256').update(name).digest('hex')}`;
}

function derivedBytes(name: string, length: number): string {
  return createHash('shake256', { outputLength: length }).update(name).digest('base64');
}
