import type { RecordedGrpcCall } from '@forecourt/ledger/recorded-node';
import {
  LedgerService,
  StateService,
  TransactionExecutionService,
} from '@forecourt/ledger/node-messages';
import type { RawCall } from './recorded-call-client.js';

/** Times of the recording are divided by this. */
export const FASTER = 10;

const SERVICES: Readonly<Record<string, string>> = {
  Health: 'grpc.health.v1.Health',
  LedgerService: LedgerService.typeName,
  NoService: 'iota.grpc.v1.NoService',
  ServerReflection: 'grpc.reflection.v1.ServerReflection',
  StateService: StateService.typeName,
  TransactionExecutionService: TransactionExecutionService.typeName,
};
/** Codes that the client gives to a call that it ends. */
export const BY_CLIENT: ReadonlySet<number> = new Set([1, 4]);
/** In which the recorded node does not answer, in ms. */
const SILENCE_MS = 300;

/** The conditions under which a recorded call was sent, by its name and its end. */
export function optionsOf(call: RecordedGrpcCall): Omit<RawCall, 'request'> {
  const { name, service, method, code, responses } = call;
  const path = `/${SERVICES[service]}/${method}`;
  const compression = /(gzip|deflate)-request$/.exec(name)?.[1] as 'gzip' | 'deflate' | undefined;
  const [, kind, ms] = /^(deadline|cancel)\/(\d+)ms/.exec(name) ?? [];
  const limitMs = Math.max(1, Number(ms) / FASTER);
  return {
    path,
    compression: compression ?? 'none',
    ...(kind === 'deadline' && { deadlineMs: limitMs }),
    ...(kind === 'cancel' && { cancelMs: limitMs }),
    ...(method === 'StreamCheckpoints' && BY_CLIENT.has(code) && endOfStream(name, responses)),
  };
}

/** The client ends a stream that goes on: after a whole checkpoint, or one message where nothing matches. */
function endOfStream(name: string, responses: readonly unknown[]): Partial<RawCall> {
  if (responses.length === 0) return { cancelMs: SILENCE_MS };
  return { mostMessages: name.includes('progress') ? 1 : 3 };
}
