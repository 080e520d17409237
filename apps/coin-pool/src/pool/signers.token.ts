/** Injection token of the sponsors' `Signer`s, in the order of the configuration; the first one pays by default. */
export const SIGNERS = Symbol('SIGNERS');
