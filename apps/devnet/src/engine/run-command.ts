import { fromBase64 } from '@iota/iota-sdk/utils';
import { ArgumentSlots, type Slot } from './argument-slots.js';
import type { Command, CallArgument, Program } from './transaction-data.js';
import { argumentFailure, type RuntimeObject, type RuntimeValue } from './execution-values.js';
import { ExecutionFailed } from './execution-failed.js';
import type { ExecutionSession } from './execution-session.js';
import { U64_MAX, UNITS_PER_ARGUMENT, UNITS_PER_COMMAND } from './gas-schedule.js';
import { addressOf, asValue, u64Of } from './move-module.js';
import { encodeLength } from './move-value.js';
import { balanceOf, joinCoin, splitCoin } from './move/coin-module.js';
import { publishPackage, upgradePackage } from './publish/publish-package.js';
import { runMoveCall } from './run-move-call.js';
import { showType } from './type-tag.js';

/** Runs one command; its results, in order. */
function runCommand(
  session: ExecutionSession,
  command: Command,
  slots: ArgumentSlots,
): readonly RuntimeValue[] {
  session.facts.meter.charge(UNITS_PER_COMMAND);
  switch (command.$kind) {
    case 'SplitCoins':
      return splitCoins(session, command.SplitCoins, slots);
    case 'MergeCoins':
      return mergeCoins(session, command.MergeCoins, slots);
    case 'TransferObjects':
      return transferObjects(session, command.TransferObjects, slots);
    case 'MakeMoveVec':
      return makeMoveVec(session, command.MakeMoveVec, slots);
    case 'MoveCall':
      return runMoveCall(session, command.MoveCall, slots);
    case 'Publish':
      return publishPackage(session, command.Publish);
    case 'Upgrade':
      return upgradePackage(session, command.Upgrade, slots);
    default:
      throw new ExecutionFailed('FeatureNotYetSupported');
  }
}

function chargeArguments(session: ExecutionSession, count: number): void {
  session.facts.meter.charge(UNITS_PER_ARGUMENT * BigInt(count));
}

function splitCoins(
  session: ExecutionSession,
  { coin: source, amounts }: NonNullable<Command['SplitCoins']>,
  slots: ArgumentSlots,
): RuntimeValue[] {
  chargeArguments(session, amounts.length);
  const coin = slots.takeCoin(source, 0, 'by-mutable-reference');
  const values = amounts.map((each, index) =>
    u64Of(slots.take(each, index + 1, 'by-value', 'u64')),
  );
  return values.map((amount) => {
    if (balanceOf(coin) < amount) throw new ExecutionFailed('InsufficientCoinBalance');
    return asValue(splitCoin(session, coin, amount));
  });
}

function mergeCoins(
  session: ExecutionSession,
  { destination, sources }: NonNullable<Command['MergeCoins']>,
  slots: ArgumentSlots,
): RuntimeValue[] {
  chargeArguments(session, sources.length);
  const target = slots.takeCoin(destination, 0, 'by-mutable-reference');
  sources.forEach((source, position) => {
    const index = position + 1;
    if (source.$kind === 'GasCoin') throw argumentFailure(index, 'InvalidGasCoinUsage');
    const coin = slots.takeCoin(source, index, 'by-value');
    if (coin.type !== target.type) throw argumentFailure(index, 'TypeMismatch');
    if (balanceOf(target) + balanceOf(coin) > U64_MAX) {
      throw new ExecutionFailed('CoinBalanceOverflow');
    }
    joinCoin(session, target, coin);
  });
  return [];
}

function transferObjects(
  session: ExecutionSession,
  { objects, address }: NonNullable<Command['TransferObjects']>,
  slots: ArgumentSlots,
): RuntimeValue[] {
  chargeArguments(session, objects.length);
  const values = objects.map((each, index) => slots.takeObject(each, index, 'by-value'));
  const recipient = addressOf(slots.take(address, objects.length, 'by-value', 'address'));
  for (const object of values) {
    if (!object.layout.abilities.includes('Store')) {
      throw new ExecutionFailed('InvalidTransferObject');
    }
    session.transfer(object, { AddressOwner: recipient });
  }
  return [];
}

function makeMoveVec(
  session: ExecutionSession,
  { type, elements }: NonNullable<Command['MakeMoveVec']>,
  slots: ArgumentSlots,
): RuntimeValue[] {
  chargeArguments(session, elements.length);
  const statedType = type === null || type === undefined ? null : showType(type);
  if (statedType === null && elements.length === 0) throw new ExecutionFailed('TypeArityMismatch');
  let element = statedType;
  const values = elements.map((each, index) => {
    if (each.$kind === 'GasCoin') throw argumentFailure(index, 'InvalidGasCoinUsage');
    const value = slots.take(each, index, 'by-value', element);
    element ??= value.kind === 'object' ? value.object.type : null;
    return value;
  });
  const name = element ?? '';
  const objects = values.flatMap((value): RuntimeObject[] =>
    value.kind === 'object' ? [value.object] : [],
  );
  if (objects.length === values.length && (objects.length > 0 || name.includes('::'))) {
    return [{ kind: 'objects', element: name, objects }];
  }
  const bytes = values.map((value) => (value.kind === 'raw' ? value.bytes : new Uint8Array(0)));
  return [
    {
      kind: 'raw',
      type: `vector<${name}>`,
      bytes: Buffer.concat([encodeLength(values.length), ...bytes]),
    },
  ];
}

/** Runs the commands in order. Throws `ExecutionFailed` whose message names the command. */
export function runProgram(
  session: ExecutionSession,
  program: Program,
  gasCoin: RuntimeObject,
): void {
  const gas: Slot = { content: { kind: 'object', object: gasCoin }, access: 'gas' };
  const inputs = program.inputs.map((input) => inputSlot(session, input));
  const results: Slot[][] = [];
  program.commands.forEach((command, index) => {
    try {
      const values = runCommand(session, command, new ArgumentSlots(gas, inputs, results));
      results.push(values.map((content) => ({ content, access: 'result' })));
    } catch (error) {
      if (!(error instanceof ExecutionFailed)) throw error;
      throw new ExecutionFailed(`${error.message} in command ${index}`, error.hint);
    }
  });
  requireUsed(results);
}

function inputSlot(session: ExecutionSession, input: CallArgument): Slot {
  if (input.Pure) {
    return { content: { kind: 'pure', bytes: fromBase64(input.Pure.bytes) }, access: 'owned' };
  }
  // No function here receives objects: such an input stays unused.
  if (input.Object?.Receiving) return { content: null, access: 'read-only' };
  const shared = input.Object?.SharedObject;
  const id = shared?.objectId ?? input.Object?.ImmOrOwnedObject?.objectId ?? '';
  const object = session.objects.get(id)!;
  const content = { kind: 'object', object } as const;
  if (shared) return { content, access: shared.mutable ? 'shared' : 'read-only' };
  return { content, access: object.owner === 'Immutable' ? 'read-only' : 'owned' };
}

/** Objects cannot be dropped: every returned object must be used. */
function requireUsed(results: readonly (readonly Slot[])[]): void {
  results.forEach((slots, result) => {
    slots.forEach(({ content }, position) => {
      if (content !== null && content.kind !== 'raw') {
        throw new ExecutionFailed(
          `UnusedValueWithoutDrop { result_idx: ${result}, secondary_idx: ${position} }`,
        );
      }
    });
  });
}
