/**
 * A value that belongs to each request or reply. A `WeakMap` of them would cost more than the rest of a hook.
 */
export class PerRequest<Subject extends object, Value> {
  readonly #key = Symbol('value of a request');

  get(subject: Subject): Value | undefined {
    return (subject as Record<symbol, Value | undefined>)[this.#key];
  }

  set(subject: Subject, value: Value): void {
    (subject as Record<symbol, Value>)[this.#key] = value;
  }
}
