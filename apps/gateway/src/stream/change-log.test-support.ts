import {
  type ChangesOfStream,
  HISTORY_ENTRY_VERSION,
  type ReadChangesMessage,
  type ReadChangesReply,
  REFUSALS_STREAM,
  type ReservationState,
} from '@forecourt/contracts';
import { full } from '../history/records.test-support.js';

type Change = ChangesOfStream['changes'][number];

/** As in the pools; a first entry is only a place. */
const BEGUN: Change = { id: '1700000000000-0', pairs: [] };
const MOST = 250;
const VERSION = String(HISTORY_ENTRY_VERSION);

/** The changes that the coin-pools hold, of two sponsors and of refused requests, and their answers to gateways. */
export class ChangeLog {
  readonly #streams = new Map<string, Change[]>(
    ['0', '1', REFUSALS_STREAM].map((name) => [name, [BEGUN]]),
  );
  #at = 1_700_000_000_000;
  /** The place before all changes. */
  readonly first = BEGUN.id;
  /** The messages that gateways have sent. */
  reads = 0;

  /** A sponsorship in a new state. */
  change(
    reservationId: number,
    caller: string,
    over: { stream?: string; state?: ReservationState } = {},
  ) {
    const { stream = '0', state = 'executed' } = over;
    const ended = state === 'executed' ? String(this.#at) : '';
    this.add(stream, {
      v: VERSION,
      id: String(reservationId),
      state,
      ended,
      caller,
      budget: '5',
      sum: '7',
      coins: '',
      trail: '',
    });
  }

  refuse(token: string, code = 'FORBIDDEN'): void {
    const route = 'POST /v1/execute_tx';
    const at = String(this.#at);
    this.add(REFUSALS_STREAM, { v: VERSION, at, route, token, status: '403', code, message: 'no' });
  }

  /** A change that no gateway can read. */
  break(stream = '0'): void {
    this.add(stream, { v: VERSION, id: 'none' });
  }

  /** Keeps the latest changes only. */
  trim(stream: string, kept: number): void {
    this.#streams.set(stream, this.#streams.get(stream)!.slice(-kept));
  }

  readonly read = ({ after, fromEnd = false }: ReadChangesMessage): ReadChangesReply => {
    this.reads += 1;
    return {
      streams: [...this.#streams].map(([name, held]): ChangesOfStream => {
        const sponsor = name === REFUSALS_STREAM ? null : full(`a${name}`);
        const found = findAfter(held, after[name], fromEnd);
        const place = found.changes.at(-1)?.id ?? after[name] ?? held.at(-1)!.id;
        const changes = found.changes.filter((one) => one !== BEGUN);
        return { name, sponsor, ...found, changes, place };
      }),
    };
  };

  private add(stream: string, fields: Readonly<Record<string, string>>): void {
    this.#at += 1;
    const pairs = Object.entries(fields).flat();
    this.#streams.get(stream)!.push({ id: `${this.#at}-0`, pairs });
  }
}

function findAfter(held: readonly Change[], after: string | undefined, fromEnd: boolean) {
  if (after === undefined && fromEnd) return { changes: [], isGap: false, isPart: false };
  const at = held.findIndex(({ id }) => id === after);
  const changes = held.slice(at + 1, at + 1 + MOST);
  return { changes, isGap: at < 0 && after !== undefined, isPart: changes.length === MOST };
}
