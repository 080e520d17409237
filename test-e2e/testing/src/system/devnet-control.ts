import { type NodeBehaviour, nodeFaults, type NodeFaults } from './node-behaviour.js';

/** A coin as the control interface names it. */
interface MintedCoin {
  readonly objectId: string;
  readonly version: number | string;
  readonly digest: string;
}

/** Client of devnet's control interface (docs/devnet.md). */
export interface DevnetControl extends NodeFaults {
  /** Sets a fault; `times`: number of calls that it affects, otherwise until cleared. */
  readonly fault: (fault: Record<string, unknown>) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  /** Number of submissions of each transaction. */
  readonly submissionsOf: (digest: string) => Promise<number>;
  readonly submissions: () => Promise<Record<string, number>>;
  readonly requestsOf: (method: string) => Promise<number>;
  readonly advanceEpoch: () => Promise<void>;
  /** Breaks every connection to the node; it accepts new ones. */
  readonly disconnect: () => Promise<void>;
  /** An unpublished transaction holds the object until the epoch ends. */
  readonly lock: (objectId: string, digest: string) => Promise<void>;
  /** Changes the node's behaviour; absent fields stay unchanged. */
  readonly behaveLike: (behaviour: Partial<NodeBehaviour>) => Promise<void>;
  /** Returns to the configured behaviour. */
  readonly resetBehaviour: () => Promise<void>;
  /** Resolves when reads show every change up to now. */
  readonly untilShown: () => Promise<void>;
  /** The id of the demo package's shared counter. */
  readonly counterId: () => Promise<string>;
  /**
   * Drops the checkpoints below this one, with their transactions; returns the oldest remaining
   * one.
   */
  readonly prune: (below: number) => Promise<number>;
  /** Makes coins of this amount, one unless `count` says otherwise. */
  readonly mint: (owner: string, amount: number | bigint, count?: number) => Promise<MintedCoin[]>;
}

export function devnetControl(url: string): DevnetControl {
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  };
  const counters = async () =>
    (await send('GET', '/counters')) as {
      requests: Record<string, number>;
      submissions: Record<string, number>;
    };
  const fault = async (one: Record<string, unknown>) => void (await send('POST', '/faults', one));
  return {
    ...nodeFaults(fault),
    fault,
    clearFaults: async () => void (await send('DELETE', '/faults')),
    submissionsOf: async (digest) => (await counters()).submissions[digest] ?? 0,
    submissions: async () => (await counters()).submissions,
    requestsOf: async (method) => (await counters()).requests[method] ?? 0,
    advanceEpoch: async () => void (await send('POST', '/epoch', {})),
    disconnect: async () => void (await send('POST', '/disconnect')),
    lock: async (objectId, digest) => void (await send('POST', '/locks', { objectId, digest })),
    behaveLike: async (behaviour) => void (await send('POST', '/node', behaviour)),
    resetBehaviour: async () => void (await send('DELETE', '/node')),
    untilShown: async () => void (await send('POST', '/until-shown')),
    counterId: async () =>
      ((await send('GET', '/')) as { demo: { counterId: string } }).demo.counterId,
    prune: async (below) =>
      ((await send('POST', '/prune', { below })) as { oldestCheckpoint: number }).oldestCheckpoint,
    mint: async (owner, amount, count = 1) => {
      const minted = await send('POST', '/mint', { owner, amount: `${amount}`, count });
      return (minted as { coins: MintedCoin[] }).coins;
    },
  };
}
