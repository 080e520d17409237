/**
 * The part that one token may hold of what no other token holds; and one user, of what its token may hold.
 */
export const TOKEN_SHARE = 1 / 2;
/** The part that one client may hold of what no other one holds: 32 clients leave an eighth. */
export const CLIENT_SHARE = 1 / 16;

export interface ShareLimits {
  /** Places of all clients together. */
  readonly total: number;
  /** The part that one client may hold of what no other client holds. */
  readonly share: number;
  /** The most that one client may hold; default: without limit. */
  readonly perClient?: number;
}

/**
 * The most that a group of clients may hold, as a part of what others leave, and each client of what its
 * group may hold.
 */
const GROUP_SHARE = 1 / 2;

/**
 * The part that the name at `index` of a client's path may hold. A group may hold twice as much as one
 * client, so that a lone client in it has as much as one that belongs to no group, and something is left in
 * the group for another one.
 */
export function shareAt(share: number, index: number, path: readonly unknown[]): number {
  if (path.length === 1) return share;
  return index === 0 ? Math.min(2 * share, GROUP_SHARE) : GROUP_SHARE;
}

/** Places of a client until it releases them. */
export interface Hold {
  /** Holds so much more; false, holding no more, where that exceeds the client's share. */
  grow(count: number): boolean;
  /** Calling it more than once has no effect. */
  release(): void;
}

/**
 * How much a client that holds `own` may hold when all hold `held` of `total`: a part of what no other one
 * holds.
 */
export function allowedOf(
  { total, share, perClient = Infinity }: ShareLimits,
  { held, own }: { readonly held: number; readonly own: number },
): number {
  return Math.min((total - (held - own)) * share, perClient);
}

/** Places of a client and of its parts: the users of a token, the networks within a network. */
class Holder {
  held = 0;
  readonly parts = new Map<string, Holder>();
}

/**
 * Shares a quantity among clients. Whatever some of them hold, each of them can hold no more than a part of
 * what the others leave, so that something stays free for one that comes later. A client is a path of names
 * from the widest to the narrowest, such as a token and its user; each name shares what the one before it may
 * hold. Who holds nothing yet gets what it asks for once if that is free, so that a large request is not
 * refused forever.
 */
export class FairShares {
  readonly #all = new Holder();

  constructor(private readonly limits: ShareLimits) {}

  /** Places of which each client has so many, whatever others hold. */
  static each(perClient: number): FairShares {
    return new FairShares({ total: Infinity, share: 1, perClient });
  }

  get held(): number {
    return this.#all.held;
  }

  hasRoom(client: readonly string[], count = 1): boolean {
    return this.fits(client, count, 0);
  }

  /**
   * `holding`: what the hold that is to grow has already; a client with no other one is not bound by its
   * share.
   */
  private fits(client: readonly string[], count: number, holding: number): boolean {
    const { total, share, perClient } = this.limits;
    if (this.#all.held + count > total) return false;
    let allowed = total;
    let holder: Holder | undefined = this.#all;
    for (const [index, name] of client.entries()) {
      const part: Holder | undefined = holder?.parts.get(name);
      const own = part?.held ?? 0;
      const limits = { total: allowed, share: shareAt(share, index, client), perClient };
      allowed = allowedOf(limits, { held: holder?.held ?? 0, own });
      if (own > holding && own + count > allowed) return false;
      allowed = Math.max(allowed, holding + count);
      holder = part;
    }
    return true;
  }

  /** Null where that exceeds the client's share. */
  take(client: readonly string[], count = 1): Hold | null {
    if (!this.hasRoom(client, count)) return null;
    let holding = count;
    this.add(client, count);
    return {
      grow: (more) => {
        if (!this.fits(client, more, holding)) return false;
        holding += more;
        this.add(client, more);
        return true;
      },
      release: () => {
        this.add(client, -holding);
        holding = 0;
      },
    };
  }

  private add(client: readonly string[], count: number): void {
    let holder = this.#all;
    holder.held += count;
    for (const name of client) {
      const part = holder.parts.get(name) ?? new Holder();
      part.held += count;
      if (part.held > 0) holder.parts.set(name, part);
      else holder.parts.delete(name);
      holder = part;
    }
  }
}
