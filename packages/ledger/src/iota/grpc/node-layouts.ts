import { rememberAnswer } from '@forecourt/resilience';
import { LedgerService } from '../../node-messages/index.js';
import { fromHex } from '@iota/iota-sdk/utils';
import type { Datatype, Layout } from '../move/value-type.js';
import { MoveLayouts } from '../move/move-layouts.js';
import { WithPublished } from '../move/with-published.js';
import { CachedPackages } from '../move/cached-packages.js';
import { type Parameter, readParameters } from '../move/read-module.js';
import { findModule, isPackage, type MovePackage } from '../move/read-package.js';
import { NodeFailure } from '../transport/node-failure.js';
import type { GrpcChannel } from './grpc-channel.js';
import { isAbsent } from './grpc-errors.js';

/** Packages are read beside the call that needs them, which ends at its own deadline. */
const READ_MS = 5_000;
/** Of all layouts that a transaction needs, one of which may take many reads. */
const LONGEST_MS = 30_000;

/** A node during one call, which ends at `endsAt` (`performance.now()`). */
export interface CalledNode {
  readonly channel: GrpcChannel;
  readonly layouts: NodeLayouts;
  readonly endsAt: number;
}

/** The layouts of types, and the parameters of functions, on a node's ledger. */
export class NodeLayouts {
  readonly #packages = new CachedPackages((ids) => this.readPackages(ids));
  readonly #layouts = new MoveLayouts(this.#packages);
  /** The functions of a package that are asked for at the same time share one read. */
  readonly #readPackage = rememberAnswer(async (id: string) => {
    const [found] = await this.readPackages([id]);
    return found ?? null;
  });

  constructor(private readonly channel: GrpcChannel) {}

  /**
   * The layout of each type, null for one that is too large. `published`: by the transaction whose types
   * these are; the node may not show them yet. Rejects with `NodeFailure` at the deadline too, and with the
   * errors of `MoveLayouts`.
   */
  async find(
    types: readonly Datatype[],
    published: readonly MovePackage[],
    endsAt: number,
  ): Promise<(Layout | null)[]> {
    const layouts =
      published.length === 0
        ? this.#layouts
        : new MoveLayouts(new WithPublished(published, this.#packages));
    const found = Promise.all(types.map((type) => layouts.of(type)));
    let timer: NodeJS.Timeout | undefined;
    const outOfTime = new Promise<never>((_resolve, reject) => {
      const message = 'the packages of events were not read in time';
      const fail = () => reject(new NodeFailure(message, { mayBeProcessed: false }));
      timer = setTimeout(fail, Math.min(endsAt - performance.now(), LONGEST_MS));
    });
    try {
      return await Promise.race([found, outOfTime]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Null: the node has no such function. Throws `NodeFailure` and `UnreadableMove`. */
  async parametersOf(
    id: string,
    module: string,
    name: string,
  ): Promise<readonly Parameter[] | null> {
    const bytes = await this.#readPackage(id);
    const code = bytes && isPackage(bytes) ? findModule(bytes, module) : null;
    return code && readParameters(code, name);
  }

  /** Whether the node has executed the checkpoint. Throws `NodeFailure`. */
  async hasExecuted(checkpoint: bigint): Promise<boolean> {
    const request = { readMask: { paths: ['executed_checkpoint_height'] } };
    const { getServiceInfo } = LedgerService.method;
    const info = await this.channel.unary(getServiceInfo, request, performance.now() + READ_MS);
    return (info.executedCheckpointHeight ?? 0n) >= checkpoint;
  }

  /** For a connection that may lead to another ledger. */
  clear(): void {
    this.#packages.clear();
    this.#layouts.clear();
  }

  /**
   * Throws `NodeFailure` for every refusal too: a transaction is not at fault if its packages cannot be read.
   */
  private async readPackages(ids: readonly string[]): Promise<(Uint8Array | null)[]> {
    const requests = ids.map((id) => ({ objectRef: { objectId: { objectId: fromHex(id) } } }));
    const request = { requests: { requests }, readMask: { paths: ['bcs'] } };
    const endsAt = performance.now() + READ_MS;
    try {
      const answers = await this.channel.all(LedgerService.method.getObjects, request, endsAt);
      return answers
        .flatMap(({ objects }) => objects)
        .map(({ result }) => {
          if (result.case === 'object') return result.value.bcs!.data;
          if (result.case === 'error' && isAbsent(result.value)) return null;
          throw new Error(result.value?.message ?? 'no result');
        });
    } catch (cause) {
      const message = `cannot read packages: ${(cause as Error).message}`;
      throw new NodeFailure(message, { mayBeProcessed: false, cause });
    }
  }
}
