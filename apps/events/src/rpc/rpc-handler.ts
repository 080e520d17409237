import type { CallContext } from '@forecourt/json-rpc';

/** A method as OpenRPC describes it, without its name. */
export interface MethodDescription {
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly params: readonly ParamDescription[];
  readonly result: { readonly name: string; readonly schema: object };
}

interface ParamDescription {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
}

/** One JSON-RPC method. */
export interface RpcHandler {
  /** Without a prefix: `getEvents`. */
  readonly name: string;
  readonly description: MethodDescription;
  /** `calledAs` is the full name in the call, which may have a configured prefix. */
  handle(params: unknown, context: CallContext, calledAs: string): Promise<unknown>;
}

/** What the specification says of the subscription methods. */
export const DEPRECATED =
  'Deprecated on the node interface, as the subscription to transactions is: the event query and the transaction block query methods replace it.';
