/** A result in JSON, sent unchanged. In parts, so that a large one is never a single string. */
export class RawJson {
  constructor(readonly parts: readonly string[]) {}
}
