/** The ledger's message for a caller whose transaction can never be executed; `message` is empty where no node gave one. */
export function describeRefusal({ message }: { readonly message: string }): string {
  if (message !== '') return message;
  return 'The transaction was not executed before the epoch of its submission ended, and can no longer be executed';
}
