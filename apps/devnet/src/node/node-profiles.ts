import type { EngineInterface } from '../engine/engine-interface.js';
import type { FullNode } from '../engine/full-node.js';
import type { NodeProfile } from './node-profile.js';

/** The node's current profile. It can change at any time. */
export class NodeProfiles {
  #current: NodeProfile;
  readonly #listeners = new Set<() => void>();

  constructor(
    private readonly initial: NodeProfile,
    private readonly engine: EngineInterface,
    private readonly fullNode: FullNode,
  ) {
    this.#current = initial;
    this.apply();
  }

  get current(): NodeProfile {
    return this.#current;
  }

  change(changes: Partial<NodeProfile>): NodeProfile {
    this.#current = { ...this.#current, ...changes };
    return this.apply();
  }

  /** Returns to the profile of the configuration. */
  reset(): void {
    this.#current = this.initial;
    this.apply();
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  private apply(): NodeProfile {
    const { certificateless, softLockMs, lagMs } = this.#current;
    this.engine.setLockLifetime(certificateless ? softLockMs : null);
    this.fullNode.setLag(lagMs.maxMs > 0 ? lagMs : null);
    for (const listener of this.#listeners) listener();
    return this.#current;
  }
}
