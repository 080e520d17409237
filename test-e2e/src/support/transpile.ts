import ts from 'typescript';

/** A program of the documentation without its types. */
export function transpile(program: string): string {
  return ts.transpileModule(program, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;
}
