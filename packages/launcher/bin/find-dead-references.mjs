import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchors, codeBlocks, inlineCode, links } from './markdown.mjs';

const ELSEWHERE = /^(?:https?|mailto):/;
const NAMED_PATH = /^(?:apps|packages|docker|docs|test-e2e)\/[\w./-]+$/;
const NAMED_TEST = /^[\w/-]+\.test\.ts$/;
const SCRIPT = /\bnpm run ([\w:-]+)/g;

/**
 * References of a page to what does not exist: files, headings, paths, the paths of its trees, tests, npm scripts. `files`:
 * the paths of the repository's files.
 */
export function findDeadReferences(root, files, page, markdown) {
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  const trees = codeBlocks(markdown).filter(({ language }) => language === 'tree');
  const paths = inlineCode(markdown).filter((text) => NAMED_PATH.test(text));
  return [
    ...links(markdown).filter((target) => !isLiveLink(root, page, markdown, target)),
    ...[...paths, ...trees.flatMap(({ text }) => treePaths(text))].filter(
      (path) => !existsSync(join(root, path)),
    ),
    ...inlineCode(markdown).filter(
      (text) => NAMED_TEST.test(text) && !files.some((file) => `/${file}`.endsWith(`/${text}`)),
    ),
    ...[...markdown.matchAll(SCRIPT)]
      .filter(([, name]) => !(name in scripts))
      .map(([command]) => command),
  ].map((reference) => `${reference} does not exist`);
}

function isLiveLink(root, page, markdown, target) {
  if (ELSEWHERE.test(target)) return true;
  const [path, anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, file))) return false;
  if (anchor === undefined || !file.endsWith('.md')) return true;
  return anchors(file === page ? markdown : readFileSync(join(root, file), 'utf8')).has(anchor);
}

/** Paths of an annotated tree: two spaces of indent for each level, a note after two or more spaces. */
function treePaths(tree) {
  const parents = [];
  return tree
    .split('\n')
    .filter((line) => /\S/.test(line))
    .map((line) => {
      const [, indent, name] = /^( *)(\S+)/.exec(line);
      parents.splice(indent.length / 2, Infinity, name.replace(/\/$/, ''));
      return parents.join('/');
    });
}
