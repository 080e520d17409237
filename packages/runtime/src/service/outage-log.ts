import type { Logger } from './logger.js';

const REMIND_EVERY_MS = 10_000;

/** The log lines of a condition. */
export interface ConditionMessages {
  readonly begins: string;
  readonly goesOn: string;
  readonly ends: string;
}

/**
 * Logs a condition that may be reported many times a second: once when it begins, at most every ten seconds
 * while it lasts, with the number of reports, and once when it ends.
 */
export class OutageLog {
  #times = 0;
  #beganAt = 0;
  #loggedAt = 0;

  constructor(
    private readonly logger: Logger,
    private readonly messages: ConditionMessages,
  ) {}

  /** Reports that the condition holds. */
  report(fields: object): void {
    const now = performance.now();
    this.#times += 1;
    if (this.#times === 1) {
      this.#beganAt = now;
      this.#loggedAt = now;
      this.logger.warn(fields, this.messages.begins);
      return;
    }
    if (now - this.#loggedAt < REMIND_EVERY_MS) return;
    this.#loggedAt = now;
    this.logger.warn({ ...fields, ...this.extentAt(now) }, this.messages.goesOn);
  }

  /** Reports that the condition does not hold; logs only its end. */
  end(): void {
    if (this.#times === 0) return;
    this.logger.info(this.extentAt(performance.now()), this.messages.ends);
    this.#times = 0;
  }

  private extentAt(now: number): { readonly times: number; readonly seconds: number } {
    return { times: this.#times, seconds: Math.round((now - this.#beganAt) / 1_000) };
  }
}
