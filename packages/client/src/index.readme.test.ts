import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const FOLDER = join(import.meta.dirname, '..');
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const examples = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text], index) => ({
  // In this folder, so that imports are resolved as in a program that has installed the package.
  path: join(import.meta.dirname, `readme-example-${index + 1}.ts`),
  text: text!,
}));

describe('the examples of the README', () => {
  it('are all extracted', () => {
    expect(examples).toHaveLength((README.match(/^```ts$/gm) ?? []).length);
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  it('compile', () => {
    expect(problemsOf(examples)).toEqual([]);
  });

  it('would not compile with an error', () => {
    const path = join(import.meta.dirname, 'readme-mistake.ts');
    const text =
      "import { LedgerEvents } from '@forecourt/client';\nnew LedgerEvents({ url: 1 });\n";
    expect(problemsOf([{ path, text }])).toHaveLength(1);
  });
});

describe('the options of the package', () => {
  it('may be given as undefined in the strictest TypeScript, each of them', () => {
    const named = /\b[A-Z]\w*(?:Options|Request|Details)\b/g;
    const program = (from: string, file: string) => {
      const names = [...new Set(readFileSync(join(FOLDER, 'src', file), 'utf8').match(named))];
      return {
        names,
        path: join(import.meta.dirname, `options-of-${file.replace('/', '-')}`),
        text: [
          `import type { ${names.join(', ')} } from '${from}';`,
          // The names of the optional properties that must be absent rather than undefined.
          'type Closed<T> = { [K in keyof T]-?: object extends Pick<T, K>',
          '  ? undefined extends Required<T>[K] ? never : K : never }[keyof T];',
          'type IsNever<T> = [T] extends [never] ? true : T;',
          ...names.map((name) => `export const of${name}: IsNever<Closed<${name}>> = true;`),
        ].join('\n'),
      };
    };
    const programs = [
      program('@forecourt/client', 'index.ts'),
      program('@forecourt/client/webhooks', 'webhooks/index.ts'),
    ];
    expect(programs.flatMap(({ names }) => names).length).toBeGreaterThan(12);
    expect(problemsOf(programs)).toEqual([]);
    const closed = programs[0]!.text.replace(
      'GasStationOptions>>',
      '{ readonly token?: string }>>',
    );
    expect(problemsOf([{ ...programs[0]!, text: closed }])).toEqual([
      expect.stringContaining('"token"'),
    ]);
  });
});

/** The compiler's errors in programs that are not files. */
function problemsOf(
  programs: readonly { readonly path: string; readonly text: string }[],
): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    customConditions: ['@forecourt/source'],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const texts = new Map(programs.map(({ path, text }) => [path, text]));
  const host = ts.createCompilerHost(options);
  const files = { ...host };
  host.fileExists = (path) => texts.has(path) || files.fileExists(path);
  host.readFile = (path) => texts.get(path) ?? files.readFile(path);
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
