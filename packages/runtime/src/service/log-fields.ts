import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line that is logged on behalf of something carries: `requestId`, `reservationId`, `digest`. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

const current = new AsyncLocalStorage<Record<string, string | number | undefined>>();

/** Runs something whose log lines, however deep, all carry these fields. */
export function withLogFields<T>(fields: LogFields, run: () => T): T {
  return current.run({ ...current.getStore(), ...fields }, run);
}

/** From here on the lines of what is running carry these too. */
export function addLogFields(fields: LogFields): void {
  Object.assign(current.getStore() ?? {}, fields);
}

/** The fields of what is running now. */
export function logFields(): LogFields {
  return { ...current.getStore() };
}
