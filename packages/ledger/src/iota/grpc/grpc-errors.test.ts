import { create, toBinary } from '@bufbuild/protobuf';
import { type Any, anyPack } from '@bufbuild/protobuf/wkt';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  type Status,
  StatusSchema,
} from '../../node-messages/index.js';
import { readGrpcRecording } from '../../recorded-node/index.js';
import { describe, expect, it } from '@jest/globals';
import { NodeRefusal } from '../transport/node-refusal.js';
import { classifyRefusal } from '../nodes/classify-refusal.js';
import { failureOf, itemRefusal, nameOfStatus, status } from './grpc-errors.js';
import { GrpcError } from './grpc-error.js';

const CHEAP = 'Gas price 1 under reference gas price (RGP) 1000';
const STALE = 'Object ID 0x1 Version 0x0 Digest D is not available for consumption';
const ABSENT = 'Could not find the referenced object 0x1 at version None';
const LOCKED = 'Failed to sign transaction by a quorum of validators because of locked objects';
const OTHERWISE_SIGNED = 'The transaction is already finalized but with different user signatures';
const NEW = 'A text that no version had before';
const TEXTS = [CHEAP, STALE, ABSENT, LOCKED, OTHERWISE_SIGNED, NEW];
const REASONS = [
  null,
  'INVALID_TRANSACTION',
  'FIELD_INVALID',
  'FIELD_MISSING',
  'REJECTED_BY_VALIDATORS',
  'INVALID_SOMETHING_NEW',
];
const CODES = Object.values(status).filter((code) => code !== status.OK);

function aStatus(code: number, message: string, reason: string | null): Status {
  const details = reason === null ? [] : [detailOf(reason)];
  return create(StatusSchema, { code, message, details });
}

/** Nodes report fields that they cannot read in a detail with its code. */
function detailOf(reason: string): Any {
  if (!reason.startsWith('FIELD_')) {
    return anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason }));
  }
  const fieldViolations = [{ field: 'transaction.bcs', description: 'invalid', reason }];
  return anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations }));
}

function aCallError(item: Status): GrpcError {
  return new GrpcError(item.code, item.message, toBinary(StatusSchema, item));
}

/** The outcome of a submission that ends with this error (see `submitTransaction`). */
function outcomeOf(error: Error): string {
  return error instanceof NodeRefusal ? classifyRefusal(error).kind : 'unknown';
}

/**
 * The outcome that the rules demand, by status, then reason, then text; `isItem`: of one item, not of the
 * whole call.
 */
function demanded(code: number, reason: string | null, text: string, isItem: boolean): string {
  const uncertain: Readonly<Record<string, string>> = {
    [CHEAP]: 'conflict',
    [STALE]: 'conflict',
    [ABSENT]: 'missing',
    [LOCKED]: 'conflict',
    [OTHERWISE_SIGNED]: 'finalized',
  };
  switch (code) {
    case status.ABORTED:
      return isItem ? (uncertain[text] ?? 'conflict') : 'unknown';
    case status.INVALID_ARGUMENT:
      if (reason === 'REJECTED_BY_VALIDATORS') return uncertain[text] ?? 'conflict';
      if (reason === null) return text === CHEAP ? 'refused' : (uncertain[text] ?? 'conflict');
      if (reason === 'INVALID_SOMETHING_NEW') return uncertain[text] ?? 'unknown';
      return 'refused';
    case status.ALREADY_EXISTS:
    case status.FAILED_PRECONDITION:
    case status.OUT_OF_RANGE:
      return uncertain[text] ?? 'unknown';
    default:
      return 'unknown';
  }
}

describe('a failed submission over gRPC', () => {
  const cases = CODES.flatMap((code) =>
    REASONS.flatMap((reason) => TEXTS.map((text) => ({ code, reason, text }))),
  );

  it.each(cases.map(({ code, ...rest }) => ({ name: nameOfStatus(code), code, ...rest })))(
    'has the demanded outcome for $name, $reason, "$text"',
    ({ code, reason, text }) => {
      const item = aStatus(code, text, reason);
      expect(outcomeOf(itemRefusal(item))).toBe(demanded(code, reason, text, true));
      expect(outcomeOf(failureOf(aCallError(item)))).toBe(demanded(code, reason, text, false));
    },
  );

  it('is certain only where the node states that it proved the transaction invalid, or by its text', () => {
    const certain = cases.filter(
      ({ code, reason, text }) => outcomeOf(itemRefusal(aStatus(code, text, reason))) === 'refused',
    );
    expect(new Set(certain.map(({ code }) => code))).toEqual(new Set([status.INVALID_ARGUMENT]));
    expect(certain.filter(({ reason }) => reason === null).map(({ text }) => text)).toEqual([
      CHEAP,
    ]);
    expect(certain.some(({ reason }) => reason === 'REJECTED_BY_VALIDATORS')).toBe(false);
  });

  it.each([
    status.CANCELLED,
    status.DEADLINE_EXCEEDED,
    status.UNAVAILABLE,
    status.INTERNAL,
    status.UNKNOWN,
    status.RESOURCE_EXHAUSTED,
  ])('may have been processed after status %s, so no other node repeats it', (code) => {
    const failure = failureOf(aCallError(aStatus(code, NEW, null)));
    expect(failure).toMatchObject({ mayBeProcessed: true });
  });

  it('is uncertain when the details cannot be read', () => {
    const error = new GrpcError(status.INVALID_ARGUMENT, NEW, Uint8Array.of(255, 255));
    expect(outcomeOf(failureOf(error))).toBe('conflict');
  });
});

describe('a node that does not know a field of the read mask', () => {
  const refusals = readGrpcRecording().filter(({ details }) =>
    JSON.stringify(details ?? []).includes('"field":"read_mask"'),
  );

  it('is recorded with every path that it refuses', () => {
    expect(refusals).toHaveLength(13);
  });

  it.each(refusals)(
    'is at fault for its version, not the call: $name',
    ({ code, message, details }) => {
      const fieldViolations = (details as { fieldViolations: object[] }[])[0]!.fieldViolations;
      const detail = anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations }));
      const typeUrl = '/google.rpc.BadRequest';
      const refusal = create(StatusSchema, { code, message, details: [{ ...detail, typeUrl }] });
      const failure = failureOf(aCallError(refusal));
      expect(failure).not.toBeInstanceOf(NodeRefusal);
      expect(failure).toMatchObject({ mayBeProcessed: false });
      expect(failure.message).toMatch(/read_mask path: .*version is too old or too new.*update/);
    },
  );
});
