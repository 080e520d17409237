import { setTimeout as delay } from 'node:timers/promises';
import { type EventId, eventKinds, type StoredEventRecord } from '@forecourt/contracts';
import { EventsSocket } from './events-socket.js';
import { buildCar, type LedgerUser } from './ledger-user.js';

const EVERYTHING = { Any: eventKinds.map((kind) => ({ EventType: kind })) };
/** Pause between two transactions of the load, and before the next connection. */
const PAUSE_MS = 20;

/** A client that always reconnects and resumes after the last event that it received. */
export class FaithfulClient {
  readonly received: StoredEventRecord[] = [];
  #stopped = false;
  #socket: EventsSocket | null = null;
  #wake: () => void = () => undefined;
  connections = 0;

  constructor(
    private readonly url: string,
    private from: EventId | number,
  ) {}

  async run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.listen();
      } catch {
        // The next connection continues where this one ended.
        await delay(PAUSE_MS);
      }
    }
  }

  private async listen(): Promise<void> {
    const socket = await EventsSocket.open(this.url);
    this.#socket = socket;
    try {
      await socket.subscribe(EVERYTHING, this.from);
      this.connections += 1;
      for (;;) {
        const record = (await socket.next())?.params?.result;
        if (!record) return;
        this.received.push(record);
        this.from = record.id;
        this.#wake();
      }
    } finally {
      // Also one whose subscription was refused: connections of one client are bounded.
      socket.close();
    }
  }

  /** Resolves once `holds`. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  drop(): void {
    this.#socket?.close();
  }

  stop(): void {
    this.#stopped = true;
    this.drop();
  }
}

/** Keeps the ledger busy; transactions that fail while the node is down are repeated. */
export function keepLedgerBusy(user: LedgerUser): { stop: () => Promise<void> } {
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      await user.run((tx) => buildCar(tx, 'Mini', user.address)).catch(() => undefined);
      await delay(PAUSE_MS);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
