/** The messages and services of IOTA nodes over gRPC that the project uses. */
export * from './service-definition.js';
export { BadRequestSchema, ErrorInfoSchema } from '../generated/google/rpc/error_details_pb.js';
export { type Status, StatusSchema } from '../generated/google/rpc/status_pb.js';
export * from '../generated/iota/grpc/v1/checkpoint_pb.js';
export * from '../generated/iota/grpc/v1/coin_pb.js';
export * from '../generated/iota/grpc/v1/command_pb.js';
export * from '../generated/iota/grpc/v1/dynamic_field_pb.js';
export * from '../generated/iota/grpc/v1/epoch_pb.js';
export * from '../generated/iota/grpc/v1/event_pb.js';
export * from '../generated/iota/grpc/v1/filter_pb.js';
export * from '../generated/iota/grpc/v1/ledger_service_pb.js';
export * from '../generated/iota/grpc/v1/move_package_service_pb.js';
export * from '../generated/iota/grpc/v1/object_pb.js';
export * from '../generated/iota/grpc/v1/signatures_pb.js';
export * from '../generated/iota/grpc/v1/state_service_pb.js';
export * from '../generated/iota/grpc/v1/transaction_pb.js';
export * from '../generated/iota/grpc/v1/transaction_execution_service_pb.js';
export * from '../generated/iota/grpc/v1/types_pb.js';
