/** A hook is not called, because its latest calls failed: all, or those for one caller while others succeeded. */
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
