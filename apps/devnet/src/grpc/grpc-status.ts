import { create, type DescMessage, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { BadRequestSchema, type Status, StatusSchema } from '@forecourt/ledger/node-messages';
import { GrpcCode } from './grpc-codes.js';
import { GrpcFailure } from './grpc-failure.js';

export function failure(code: number, message: string): GrpcFailure {
  return new GrpcFailure(plainStatus(code, message));
}

export function plainStatus(code: number, message: string): Status {
  return create(StatusSchema, { code, message });
}

/** A field that cannot be read. */
export function invalidField(field: string, description: string): GrpcFailure {
  return violation(field, description, 'FIELD_INVALID');
}

/** A field without which the request means nothing; most of them need no words. */
export function missingField(field: string, description = ''): GrpcFailure {
  return violation(field, description, 'FIELD_MISSING');
}

function violation(field: string, description: string, reason: string): GrpcFailure {
  const violations = create(BadRequestSchema, {
    fieldViolations: [{ field, description, reason }],
  });
  const details = [packed(BadRequestSchema, violations)];
  const { invalidArgument: code } = GrpcCode;
  return new GrpcFailure(create(StatusSchema, { code, message: description, details }));
}

/** Nodes name the types of details without a host. */
export function packed<D extends DescMessage>(schema: D, message: MessageShape<D>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, message) });
}
