import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A text for people, with the line on which it begins. */
export interface Text {
  readonly line: number;
  readonly text: string;
}

const SKIPPED = new Set(['node_modules', 'dist', '.data', '.git', '.turbo']);

/** Paths of all files below `root`, relative to it, without what is installed, built or written by a run. */
export function listFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return SKIPPED.has(entry.name) ? [] : listFiles(root, path);
  });
}

/** The lines of a page outside of code. */
export function proseOf(markdown: string): Text[] {
  let inCode = false;
  return markdown.split('\n').flatMap((line, index) => {
    const isFence = /^ *```/.test(line);
    if (isFence) inCode = !inCode;
    if (isFence || inCode) return [];
    return { line: index + 1, text: line.replaceAll(/`[^`]*`/g, '') };
  });
}

/** The comments of a language without block comments, line by line. */
export const commentLines =
  (mark: string) =>
  (source: string): Text[] =>
    source.split('\n').flatMap((line, index) => {
      const at = line.indexOf(mark);
      return at < 0 ? [] : { line: index + 1, text: line.slice(at) };
    });

/** Whole lines, with values in quotes as code has them. */
export const linesOf = (source: string): Text[] =>
  source.split('\n').map((line, index) => ({ line: index + 1, text: line.replaceAll('"', "'") }));

/** String literals and the fixed parts of templates, in quotes, without the names of modules. */
export const literalsOf = (source: string): Text[] => findTexts(source, () => true);

const TITLED = /^(describe|it|test)\b/;

/** The titles of `describe`, `it` and `test`, also with `each`. */
export const titlesOf = (source: string): Text[] =>
  findTexts(source, ({ parent }, file) => {
    const template = ts.isTemplateSpan(parent) ? parent.parent : parent;
    const call = ts.isTemplateExpression(template) ? template.parent : parent;
    return ts.isCallExpression(call) && TITLED.test(call.expression.getText(file));
  });

function findTexts(
  source: string,
  isWanted: (node: ts.Node, file: ts.SourceFile) => boolean,
): Text[] {
  const file = ts.createSourceFile('', source, ts.ScriptTarget.Latest, true);
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && isWanted(node, file)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push({ line: line + 1, text: `'${node.text}'` });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The comments of a TypeScript or JavaScript file; neighbouring line comments are one. */
export function commentsOf(source: string): Text[] {
  const file = ts.createSourceFile('', source, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const leading = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(source, node.getEnd()) ?? [];
    for (const range of [...leading, ...trailing]) ranges.set(range.pos, range);
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  const comments = [...ranges.values()]
    .sort((one, other) => one.pos - other.pos)
    .map(({ pos, end }) => ({
      line: file.getLineAndCharacterOfPosition(pos).line + 1,
      text: source.slice(pos, end),
    }));
  return joinLines(comments, '//');
}

/** The comments of a Lua script; neighbouring lines are one. */
export const luaCommentsOf = (source: string): Text[] =>
  joinLines(commentLines('--')(source), '--');

/** Joins line comments of consecutive lines, and removes the marks of comments. */
function joinLines(comments: readonly Text[], mark: string): Text[] {
  const joined: { line: number; text: string }[] = [];
  let lastLine = -1;
  for (const { line, text } of comments) {
    const isLine = text.startsWith(mark);
    const plain = text.replaceAll(isLine ? /^[-/]+/g : /^\/\*+|^\s*\*(?!\/)|\*\/$/gm, '').trim();
    if (isLine && line === lastLine + 1) joined.at(-1)!.text += ` ${plain}`;
    else joined.push({ line, text: plain.replaceAll(/\s+/g, ' ') });
    lastLine = isLine ? line : -1;
  }
  return joined;
}
