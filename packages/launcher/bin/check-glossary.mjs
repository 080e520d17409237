import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import ts from 'typescript';
import { listFiles } from './markdown.mjs';

const GLOSSARY = 'docs/glossary.md';
/** Records of what was printed or changed at another time, and tests, whose texts no user sees. */
const SKIPPED =
  /^CHANGELOG\.md$|^docs\/glossary\.md$|\/results\/|\.test(-support)?\.ts$|^test-e2e\/src\//;

/** Finds words that the glossary discourages in texts that people read: pages, messages and comments of scripts. */
export function checkGlossary(root) {
  const { terms, names } = readGlossary(readFileSync(join(root, GLOSSARY), 'utf8'));
  const problems = listFiles(root)
    .filter((path) => Object.hasOwn(readers, extname(path)) && !SKIPPED.test(path))
    .flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      return readers[extname(path)](source).flatMap(({ line, text }) => {
        const prose = names.reduce((rest, name) => rest.replaceAll(name, ''), text);
        return terms
          .filter(({ pattern }) => pattern.test(prose))
          .map(({ word, term }) => `${path}:${line}: "${word}"; write "${term}"`);
      });
    });
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

/** `terms`: what the tables' third columns discourage; `names`: what stands in code in the table of exceptions. */
function readGlossary(markdown) {
  const [tables, exceptions] = markdown.split('\n## Exceptions\n');
  const codes = (cell) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  const terms = rowsOf(tables).flatMap(([term, , discouraged]) =>
    codes(discouraged).map((word) => ({
      word,
      term,
      pattern: new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i'),
    })),
  );
  if (terms.length === 0) throw new Error(`${GLOSSARY} has no table with discouraged words`);
  return { terms, names: rowsOf(exceptions ?? '').flatMap(([name]) => codes(name)) };
}

const rowsOf = (markdown) =>
  [...markdown.matchAll(/^\| (.*) \|$/gm)].map(([, row]) =>
    row.split(' | ').map((cell) => cell.trim()),
  );

/** The lines of a page outside of code. */
function proseOf(markdown) {
  let inCode = false;
  return markdown.split('\n').flatMap((line, index) => {
    const isFence = /^ *```/.test(line);
    if (isFence) inCode = !inCode;
    if (isFence || inCode) return [];
    return { line: index + 1, text: line.replaceAll(/`[^`]*`/g, '') };
  });
}

const commentsOf = (mark) => (source) =>
  source.split('\n').flatMap((line, index) => {
    const at = line.indexOf(mark);
    return at < 0 ? [] : { line: index + 1, text: line.slice(at) };
  });

/** String literals and the fixed parts of templates, in quotes, but not the names of modules. */
function literalsOf(source) {
  const file = ts.createSourceFile('', source, ts.ScriptTarget.Latest);
  const found = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node);
    if (isText) {
      const { line } = file.getLineAndCharacterOfPosition(node.pos);
      found.push({ line: line + 1, text: `'${node.text}'` });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** By file extension: the texts that people read, each with the line where it begins. */
const readers = {
  '.md': proseOf,
  '.ts': literalsOf,
  '.mjs': literalsOf,
  '.lua': commentsOf('--'),
  '.yaml': commentsOf('#'),
};
