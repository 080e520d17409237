/**
 * A request got no answer: the connection was refused or lost before the whole answer had arrived
 * (`UNREACHABLE`), or the time limit had passed (`TIMEOUT`). The request may have had its effect.
 */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';

  constructor(
    readonly code: 'UNREACHABLE' | 'TIMEOUT',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
