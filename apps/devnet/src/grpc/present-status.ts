import { create } from '@bufbuild/protobuf';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { ErrorInfoSchema, type Status, StatusSchema } from '@forecourt/ledger/node-messages';
import { fromBase58 } from '@iota/iota-sdk/utils';
import { EngineError } from '../engine/engine-error.js';
import { LockConflict } from '../engine/lock-conflict.js';
import { InputsRefused, INTRODUCTION } from '../engine/inputs-refused.js';
import type { InputFault } from '../engine/input-fault.js';
import { TRANSIENT_PRESETS } from '../faults/refusal-presets.js';
import type { NodeProfile } from '../node/node-profile.js';
import { GrpcCode } from './grpc-codes.js';
import { invalidField, packed, plainStatus } from './grpc-status.js';
import { GrpcFailure } from './grpc-failure.js';

const DOMAIN = 'iota.org';
const UNDECIDED = 'timed-out before finality could be reached';

/** The status that a node sends for an error of the engine or of a fault. */
export function statusOf(error: unknown, profile: NodeProfile): Status {
  if (error instanceof GrpcFailure) return error.status;
  if (error instanceof InputsRefused) return refusedInputs(error, profile);
  if (error instanceof LockConflict) return conflict(error, profile);
  if (error instanceof EngineError || error instanceof JsonRpcError) {
    return statusOfCode(error, profile);
  }
  return plainStatus(GrpcCode.internal, error instanceof Error ? error.message : String(error));
}

/** The same for a simulation, in which the node judges the objects itself. */
export function statusOfSimulation(error: unknown, profile: NodeProfile): Status {
  if (!(error instanceof InputsRefused)) return statusOf(error, profile);
  const text = wordsFor(error.fault, profile);
  const message = `transaction simulation failed: Error checking transaction input objects: ${text}`;
  return plainStatus(GrpcCode.internal, message);
}

function refusedInputs(error: InputsRefused, profile: NodeProfile): Status {
  if (profile.missingIsTransient && error.fault.missing) {
    return plainStatus(GrpcCode.unavailable, UNDECIDED);
  }
  const message = `${INTRODUCTION} ${wordsFor(error.fault, profile)}.`;
  const isValid = error.foundBy === 'validators';
  return refused(message, isValid ? 'REJECTED_BY_VALIDATORS' : 'INVALID_TRANSACTION', profile);
}

function wordsFor({ text, marchText, recentText }: InputFault, { version }: NodeProfile): string {
  return (version === '2026' ? recentText : marchText) ?? text;
}

function statusOfCode(error: EngineError | JsonRpcError, profile: NodeProfile): Status {
  const { code, message } = error;
  const isFault = error instanceof JsonRpcError;
  switch (code) {
    case JsonRpcCode.transactionClientError:
      // The transaction is on the ledger.
      if (/already finalized/.test(message)) return plainStatus(GrpcCode.aborted, message);
      return refused(message, 'INVALID_TRANSACTION', profile);
    case JsonRpcCode.invalidParams:
      if (isFault) return plainStatus(GrpcCode.invalidArgument, message);
      return invalidField('transaction.bcs', wordsForBytes(message)).status;
    case JsonRpcCode.transient: {
      const isNodes = Object.values<string>(TRANSIENT_PRESETS).includes(message);
      return plainStatus(GrpcCode.unavailable, isNodes ? UNDECIDED : message);
    }
    case JsonRpcCode.tooManyRequests:
      return plainStatus(GrpcCode.resourceExhausted, message);
    default:
      return plainStatus(GrpcCode.internal, message);
  }
}

function wordsForBytes(message: string): string {
  const reason = message
    .replace(/^Deserialization error: /, '')
    .replace(/^.*(Offset is outside|Invalid typed array length).*$/s, 'unexpected end of input')
    .replace(/^non-canonical length$/, 'ULEB128 encoding was not minimal in size');
  return `invalid transaction BCS: ${reason}`;
}

/** Newer nodes say who refused it: the node, in the bytes alone, or the validators, in their objects. */
function refused(message: string, reason: string, profile: NodeProfile): Status {
  const { invalidArgument: code } = GrpcCode;
  if (profile.version !== '2026' && !profile.certificateless) return plainStatus(code, message);
  const info = create(ErrorInfoSchema, { reason, domain: DOMAIN });
  return create(StatusSchema, { code, message, details: [packed(ErrorInfoSchema, info)] });
}

/** Without certificates, a conflict is a refusal like any other. */
function conflict({ message, locked }: LockConflict, profile: NodeProfile): Status {
  if (profile.certificateless) return refused(message, 'REJECTED_BY_VALIDATORS', profile);
  const conflicts = [...locked]
    .sort(([a], [b]) => Buffer.compare(fromBase58(a), fromBase58(b)))
    .map(([digest, references]) => [
      `    TransactionDigest(\n        ${digest},\n    ): [\n`,
      ...references.map(
        (each) =>
          `        (\n            ${each.objectId},\n            SequenceNumber(\n                ${each.version},\n` +
          `            ),\n            o#${each.digest},\n        ),\n`,
      ),
      '    ],\n',
    ]);
  const text =
    'Failed to sign transaction by a quorum of validators because of locked objects. ' +
    `Conflicting Transactions:\n{\n${conflicts.flat().join('')}}`;
  return plainStatus(GrpcCode.aborted, text);
}
