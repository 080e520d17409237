import { IsNatural } from './validation/is-integer-between.js';
import { IsName } from './validation/is-text.js';

/** A gas coin as the wires name it (specification, "Gas coin reference"). */
export class GasCoinReference {
  /** `0x` and 64 hex digits. */
  @IsName()
  readonly objectId!: string;

  @IsNatural()
  readonly version!: number;

  /** Base58. */
  @IsName()
  readonly digest!: string;
}
