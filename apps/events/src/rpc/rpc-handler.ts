import type { eventMethods } from '@forecourt/contracts';
import type { CallContext } from '@forecourt/json-rpc';
import type { CalledMethod } from '../dialects/called-method.js';
import type { JsonSchema } from './schemas/json-schema.js';

/** A method as OpenRPC describes it, without its name. */
export interface MethodDescription {
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly params: readonly ParamDescription[];
  readonly result: { readonly name: string; readonly schema: JsonSchema };
}

interface ParamDescription {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** One JSON-RPC method. */
export interface RpcHandler {
  /** Without a prefix: `getEvents`. */
  readonly name: keyof typeof eventMethods;
  readonly description: MethodDescription;
  handle(params: unknown, context: CallContext, called: CalledMethod): Promise<unknown>;
}

/** What the specification says about the subscription methods. */
export const DEPRECATED =
  'Deprecated on the node interface, as the subscription to transactions is: the event query and the transaction block query methods replace it.';
