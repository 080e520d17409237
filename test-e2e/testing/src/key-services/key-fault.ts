/** A wrong behaviour of a key server. */
export type KeyFault =
  | 'throttled'
  | 'down'
  /** It accepts connections and never answers. */
  | 'hanging'
  | 'refused'
  | 'truncated'
  | 'wrong-key'
  | 'wrong-signature'
  | 'high-s'
  | 'bad-der';
