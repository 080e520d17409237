/** A gas coin as the wires name it (specification, "Gas coin reference"). */
export interface GasCoinReference {
  /** `0x` and 64 hex digits. */
  readonly objectId: string;
  readonly version: number;
  /** Base58. */
  readonly digest: string;
}
