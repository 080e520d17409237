import type { Abstract, FactoryProvider, Type } from '@nestjs/common';

type Token<T> = Abstract<T> | Type<T> | string | symbol;

/** Provides a class that has no decorators; `tokens` name the parameters of its constructor, in order. */
export function provideClass<Parameters extends unknown[], Instance>(
  provide: new (...parameters: Parameters) => Instance,
  ...tokens: { [Index in keyof Parameters]: Token<Parameters[Index]> }
): FactoryProvider<Instance> {
  const useFactory = (...parameters: Parameters) => new provide(...parameters);
  return { provide, inject: [...tokens], useFactory };
}
