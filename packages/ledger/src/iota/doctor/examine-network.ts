import { FIRST_PROTOCOL_WITHOUT_CERTIFICATES } from '../limits.js';
import { type Finding, fine, missing, notice, type Questioner, textOf } from './questions.js';

interface SystemState {
  readonly epoch: string;
  readonly protocolVersion: string;
  readonly referenceGasPrice: string;
  readonly epochStartTimestampMs: string;
  readonly epochDurationMs: string;
  readonly safeMode: boolean;
}

const STATE_METHODS = ['iotax_getLatestIotaSystemStateV2', 'iotax_getLatestIotaSystemState'];

/** Network, software, protocol, epoch and gas price. */
export async function examineNetwork(questions: Questioner, now: number): Promise<Finding[]> {
  return [
    await examineChain(questions),
    await examineVersion(questions),
    ...(await examineState(questions, now)),
  ];
}

/** Protocol, epoch and gas price. */
export async function examineState(questions: Questioner, now: number): Promise<Finding[]> {
  const state = await readSystemState(questions);
  if (state === null) {
    return [
      missing(
        'system state',
        'not available',
        'Epoch and gas price are unknown: nothing can be sponsored; use another node',
      ),
    ];
  }
  return [protocolOf(state), epochOf(state, now), gasPriceOf(state)];
}

export async function examineChain(questions: Questioner): Promise<Finding> {
  try {
    const chain = await questions.ask<string>('iota_getChainIdentifier');
    return fine('network', chain, 'Coins, cursors and nodes of another network are refused');
  } catch (error) {
    return missing('network', textOf(error), 'The node does not name its network');
  }
}

async function examineVersion(questions: Questioner): Promise<Finding> {
  try {
    const { info } = await questions.ask<{ info: { version: string } }>('rpc.discover');
    return fine(
      'version',
      info.version,
      'Error codes and texts of nodes of 2025 and 2026 are understood',
    );
  } catch {
    return notice(
      'version',
      'not reported',
      'Error codes and texts of nodes of 2025 and 2026 are understood',
    );
  }
}

async function readSystemState(questions: Questioner): Promise<SystemState | null> {
  for (const method of STATE_METHODS) {
    try {
      const state = await questions.ask<SystemState & { V2?: SystemState }>(method);
      return state.V2 ?? state;
    } catch {
      // The protocol may have the other kind of lock.
    }
  }
  return null;
}

function protocolOf({ protocolVersion }: SystemState): Finding {
  const locks =
    Number(protocolVersion) < FIRST_PROTOCOL_WITHOUT_CERTIFICATES
      ? 'After a conflict validators lock coins until the epoch ends; they are quarantined that long'
      : 'After a conflict validators lock coins for 12 s; they are checked again after that';
  return fine('protocol', protocolVersion, locks);
}

function epochOf(state: SystemState, now: number): Finding {
  const lengthMs = Number(state.epochDurationMs);
  if (lengthMs === 0) {
    return fine(
      'epoch',
      `${state.epoch}, its end is unknown`,
      'Quarantined coins return after it; epoch and gas price are read every second until then',
    );
  }
  const endsAt = Number(state.epochStartTimestampMs) + lengthMs;
  const left = endsAt - now;
  const hours = (ms: number) => `${(ms / 3_600_000).toFixed(1)} h`;
  if (state.safeMode) {
    return notice(
      'epoch',
      state.epoch,
      'The network is in safe mode: the last epoch ended abnormally',
    );
  }
  if (left >= 0) {
    return fine(
      'epoch',
      `${state.epoch}, ends in ${hours(left)}`,
      'Quarantined coins return after it; epoch and gas price are cached until then',
    );
  }
  return notice(
    'epoch',
    `${state.epoch}, should have ended ${hours(-left)} ago`,
    'The node lags behind, or the clock here is wrong',
  );
}

function gasPriceOf({ referenceGasPrice }: SystemState): Finding {
  return fine(
    'gas price',
    referenceGasPrice,
    'Transactions below it are refused, and above five times it',
  );
}
