import { GrpcError } from './grpc-error.js';

/** An answer came, and cannot be read. */
export class UnreadableAnswer extends GrpcError {}
