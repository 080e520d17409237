import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { clientOf, plainAddress, widestGroupOf } from '../client-address.js';

/**
 * A group may be cut off in the middle of its requests only where it holds more than this part of all places.
 */
const OVERBEARING = 1 / 2;

/** The open connections of one group of clients, those that wait for longest first. */
interface Group {
  readonly all: Set<Socket>;
  /** Connections whose client has no complete request in progress: to close one loses nothing. */
  readonly idle: Set<Socket>;
}

/**
 * Bounds the connections of a process by closing those of the clients that hold most. When all places are
 * taken, a new connection takes the place of the longest idle one of the group with the most connections, so
 * that many connections of one client keep no other one out. A group is an IPv4 address or an IPv6 /48.
 */
export class ConnectionPlaces {
  readonly #groups = new Map<string, Group>();
  readonly #nameOf = new WeakMap<Socket, string>();
  #open = 0;

  constructor(private readonly most: number) {}

  get open(): number {
    return this.#open;
  }

  /**
   * Gives a connection a place until it closes. When all places are taken, closes the connection and returns
   * false.
   */
  enter(socket: Socket): boolean {
    const name = groupOf(socket);
    if (this.#open >= this.most && !this.makeRoom(name)) {
      socket.destroy();
      return false;
    }
    const group = this.#groups.get(name) ?? { all: new Set(), idle: new Set() };
    this.#groups.set(name, group);
    group.all.add(socket);
    group.idle.add(socket);
    this.#nameOf.set(socket, name);
    this.#open += 1;
    socket.once('close', () => this.leave(socket));
    return true;
  }

  /** Notes that a request of the connection is complete and waits for its response. */
  noteBusy(socket: Socket): void {
    this.groupOf(socket)?.idle.delete(socket);
  }

  /** Notes that the connection waits for its client. */
  noteIdle(socket: Socket): void {
    this.groupOf(socket)?.idle.add(socket);
  }

  /** Gives the place back; the connection no longer counts here. */
  leave(socket: Socket): void {
    const name = this.#nameOf.get(socket);
    const group = this.groupOf(socket);
    if (name === undefined || group === undefined) return;
    this.#nameOf.delete(socket);
    this.#open -= 1;
    group.all.delete(socket);
    group.idle.delete(socket);
    if (group.all.size === 0) this.#groups.delete(name);
  }

  closeAll(): void {
    for (const { all } of this.#groups.values()) for (const socket of all) socket.destroy();
  }

  private groupOf(socket: Socket): Group | undefined {
    const name = this.#nameOf.get(socket);
    return name === undefined ? undefined : this.#groups.get(name);
  }

  /** Closes a connection in favour of one of the group `newcomer`. */
  private makeRoom(newcomer: string): boolean {
    const own = this.#groups.get(newcomer);
    let largest = own !== undefined && own.idle.size > 0 ? own : null;
    let overbearing: Group | null = null;
    for (const group of this.#groups.values()) {
      if (group.all.size > this.most * OVERBEARING && group !== own) overbearing = group;
      if (group.idle.size === 0) continue;
      const least = largest?.all.size ?? own?.all.size ?? 0;
      if (group.all.size > least) largest = group;
    }
    const [closed] = largest?.idle ?? overbearing?.all ?? [];
    if (closed === undefined) return false;
    this.leave(closed);
    closed.destroy();
    return true;
  }
}

/** The group of clients that a connection comes from. */
export function groupOf({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
  const address = plainAddress(remoteAddress);
  return address === null ? 'unknown' : widestGroupOf(clientOf(address));
}

/** Files and connections that the process opens for itself. */
const OWN_FILES = 100;
/** A connection that a service forwards needs a second one. */
const FILES_PER_PLACE = 2;
/** A connection of HTTP takes about half of this in the heap. */
const HEAP_PER_PLACE = 16 * 1024;
const FEWEST = 16;

/**
 * How many connections of clients this process can hold, by its heap limit and the files that it may open.
 */
export function countPlaces(openFiles = openFilesLimit()): number {
  const byFiles = Math.floor((openFiles - OWN_FILES) / FILES_PER_PLACE);
  const byHeap = Math.floor(getHeapStatistics().heap_size_limit / HEAP_PER_PLACE);
  return Math.max(FEWEST, Math.min(byFiles, byHeap));
}

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } };
}

function openFilesLimit(): number {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  // Otherwise it asks for the name of every peer.
  report.excludeNetwork = true;
  // The stack of a real error makes Node decode the program's source map, and keep 27 MB for ever.
  const { userLimits } = report.getReport({ name: '', message: '', stack: '' }) as Report;
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Infinity;
}
