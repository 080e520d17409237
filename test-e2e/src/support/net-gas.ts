/** Effects of a transaction, in the types of the SDK or as they arrived. */
type Effects = { readonly gasUsed: object } | Readonly<Record<string, unknown>>;

/**
 * The ledger's charge for a transaction, in the smallest unit. Shares no code with the services, so that it
 * shows their mistakes.
 */
export function netGas({ gasUsed }: Effects): bigint {
  const used = gasUsed as Readonly<Record<string, string>>;
  const amount = (name: string) => BigInt(used[name]!);
  return amount('computationCost') + amount('storageCost') - amount('storageRebate');
}
