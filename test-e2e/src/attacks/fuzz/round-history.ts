import fc from 'fast-check';
import type { RawAnswer } from './http-exchange.js';

const KEPT = 5_000;
const SHOWN_LENGTH = 1_500;
const ANSWER_LENGTH = 400;

/** The attempts with the newest reservations, to explain the state of their coins. */
export class RoundHistory {
  readonly #entries = new Map<number, string>();

  note(reservationId: number, round: unknown, answers: readonly RawAnswer[]): void {
    const refusals = answers
      .filter(({ status }) => status !== 200)
      .map(({ status, body }) => `${status} ${body.slice(0, ANSWER_LENGTH)}`);
    const text = `${refusals.join('\n')}\n${fc.stringify(round).replaceAll('__proto__:null,', '')}`;
    this.#entries.set(reservationId, text.slice(0, SHOWN_LENGTH));
    if (this.#entries.size > KEPT) this.#entries.delete(this.#entries.keys().next().value!);
  }

  /** `member`: the store's name of a reservation in flight, which begins with its id. */
  explain(member: string): string {
    const id = Number(member.split('|', 1)[0]);
    return `reservation ${id}: ${this.#entries.get(id) ?? 'unknown'}`;
  }
}
