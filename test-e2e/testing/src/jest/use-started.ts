import { afterAll, beforeAll } from '@jest/globals';

/** Stop functions, in order of the starts. Jest runs `afterAll` in the order of `beforeAll`. */
const stops: (() => Promise<void> | void)[] = [];

/**
 * A resource for the tests of a file or block: started before the first test and stopped after the
 * last, in reverse order of the starts. The returned object stands for the result of `start`; using
 * it earlier throws.
 */
export function useStarted<T extends object>(
  start: () => Promise<T>,
  stop: (started: T) => Promise<void> | void = () => undefined,
): T {
  let started: T | undefined;
  beforeAll(async () => {
    stops.push(() => started && stop(started));
    started = await start();
  });
  afterAll(() => stops.pop()?.());
  return new Proxy({} as T, {
    get(_, name) {
      if (!started) throw new Error(`${String(name)} is used before the tests have started`);
      const value: unknown = Reflect.get(started, name);
      return typeof value === 'function' ? (value.bind(started) as unknown) : value;
    },
  });
}
