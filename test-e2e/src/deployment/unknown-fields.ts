import { join } from 'node:path';
import ts from 'typescript';
import { DOCKER, type Manifest, nameOf } from './manifest.js';
import { typeModuleOf } from './validate-object.js';

const FILE = join(DOCKER, '..', 'test-e2e', 'src', 'deployment', 'manifests-as-written.ts');

/**
 * Fields that Kubernetes does not know: it would drop them silently, and its schemas accept them. The compiler refuses
 * them if each object is written as a literal of its type.
 */
export function unknownFields(objects: readonly Manifest[]): string[] {
  const lines = objects.map(
    (one, index) =>
      `import type { I${one.kind} as Kind${index} } from '${typeModuleOf(one)}'; export const object${index}: Kind${index} = ${JSON.stringify(one)};`,
  );
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const known: ts.CompilerHost = {
    ...host,
    fileExists: (name) => name === FILE || host.fileExists(name),
    getSourceFile: (name, ...more) =>
      name === FILE
        ? ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.ES2023)
        : host.getSourceFile(name, ...more),
  };
  const program = ts.createProgram([FILE], options, known);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const at = file?.fileName === FILE ? ts.getLineAndCharacterOfPosition(file, start!).line : -1;
    const where = at < 0 ? (file?.fileName ?? '') : nameOf(objects[at]!);
    return `${where}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
