import { useSharedSystem } from '../use-system.js';
import { EVENTS_OPTIONS } from './events-options.js';

/** A system whose services use the ledger's node over gRPC. */
export const system = useSharedSystem('grpc', { ...EVENTS_OPTIONS, dialect: 'grpc' });
