export const EVENTS_CONFIG = Symbol('EVENTS_CONFIG');
export const RPC_PARTS = Symbol('RPC_PARTS');
