import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import ts from 'typescript';
import { listFiles } from './markdown.mjs';

const GLOSSARY = 'docs/glossary.md';
/** Records of what was printed or changed at another time. */
const RECORDS = /^CHANGELOG\.md$|^docs\/glossary\.md$|\/results\//;
const TESTS = /\.(test|cases)\.ts$/;
/** What tests use, whose texts nobody reads. */
const TEST_SUPPORT = /\.test-support\.ts$|^test-e2e\/src\//;
/** Alerts, and the titles of a dashboard. */
const SHOWN = /^docker\/(prometheus|grafana)\//;

/**
 * Finds words that the glossary discourages in texts that people read: pages, messages, alerts, the dashboard, titles of tests
 * and comments of scripts.
 */
export function checkGlossary(root) {
  const { terms, names } = readGlossary(readFileSync(join(root, GLOSSARY), 'utf8'));
  const problems = listFiles(root).flatMap((path) => {
    const read = readerOf(path);
    if (read === undefined) return [];
    return read(readFileSync(join(root, path), 'utf8')).flatMap(({ line, text }) => {
      const prose = names.reduce((rest, name) => rest.replaceAll(name, ''), text);
      return terms
        .filter(({ pattern }) => pattern.test(prose))
        .map(({ word, term }) => `${path}:${line}: "${word}"; write "${term}"`);
    });
  });
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

/** `terms`: what the tables' third columns discourage; `names`: those in the table of exceptions that hold such a word. */
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
  const names = rowsOf(exceptions ?? '').flatMap(([name]) => codes(name));
  return { terms, names: names.filter((name) => terms.some(({ pattern }) => pattern.test(name))) };
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

/** Whole lines, with values in quotes as code has them. */
const linesOf = (source) =>
  source.split('\n').map((line, index) => ({ line: index + 1, text: line.replaceAll('"', "'") }));

/** String literals and the fixed parts of templates, in quotes, but not the names of modules. */
const literalsOf = (source) => findTexts(source, () => true);

const TITLED = /^(describe|it|test)\b/;

/** The literals of `describe`, `it` and `test`, with `each` as well. */
const titlesOf = (source) =>
  findTexts(source, ({ parent }, file) => {
    const template = ts.isTemplateSpan(parent) ? parent.parent : parent;
    const call = ts.isTemplateExpression(template) ? template.parent : parent;
    return ts.isCallExpression(call) && TITLED.test(call.expression.getText(file));
  });

function findTexts(source, isWanted) {
  const file = ts.createSourceFile('', source, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
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

/** By file extension: the texts that people read, each with the line where it begins. */
const readers = {
  '.md': proseOf,
  '.html': linesOf,
  '.ts': literalsOf,
  '.js': literalsOf,
  '.mjs': literalsOf,
  '.cjs': literalsOf,
  '.lua': commentsOf('--'),
  '.yaml': commentsOf('#'),
};

function readerOf(path) {
  if (RECORDS.test(path)) return undefined;
  if (TESTS.test(path)) return titlesOf;
  if (TEST_SUPPORT.test(path)) return undefined;
  return SHOWN.test(path) ? linesOf : readers[extname(path)];
}
