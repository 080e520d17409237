/** A hook is not called, because its latest calls failed: all, or only those for one caller. */
export class HookClosed extends Error {
  override readonly name = 'HookClosed';

  constructor(readonly isForAll: boolean) {
    super(
      isForAll
        ? 'its latest calls failed'
        : 'the latest calls for this caller failed, and those for others did not',
    );
  }
}
