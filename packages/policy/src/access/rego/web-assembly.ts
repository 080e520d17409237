/** The part of WebAssembly that policies use; the types of Node declare none of it. */
interface Host {
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
  }) => WasmMemory;
  instantiate(
    source: Uint8Array,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ): Promise<{ readonly instance: { readonly exports: object } }>;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** By pages. Throws `RangeError` beyond the maximum. */
  grow(pages: number): number;
}

export const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Host };
