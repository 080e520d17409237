import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of every log line of one piece of work: `requestId`, `reservationId`, `digest`. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

const current = new AsyncLocalStorage<Record<string, string | number | undefined>>();

/** Runs a function; these fields are in every line that it logs, directly or indirectly. */
export function withLogFields<T>(fields: LogFields, run: () => T): T {
  return current.run({ ...current.getStore(), ...fields }, run);
}

/** Adds fields to the further lines of the current work. */
export function addLogFields(fields: LogFields): void {
  Object.assign(current.getStore() ?? {}, fields);
}

/** The fields of the current work. */
export function logFields(): LogFields {
  return { ...current.getStore() };
}
