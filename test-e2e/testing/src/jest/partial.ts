/** A part of a class or an interface, for code that uses no other part of it. */
export function partial<Whole extends object>(part: Partial<NoInfer<Whole>>): Whole {
  return part as Whole;
}
