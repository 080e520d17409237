/** A class with fields that class-validator's decorators describe. */
export type Dto<T extends object = object> = new () => T;
