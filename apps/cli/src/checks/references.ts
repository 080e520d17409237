import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Root } from 'mdast';
import { visit } from 'unist-util-visit';
import type { VFile } from 'vfile';
import { findUnknownCommands } from './named-commands.js';

const NAMED_PATH = /^(?:apps|packages|docker|docs|test-e2e)\/[\w./-]+$/;
const NAMED_TEST = /^[\w/-]+\.test\.ts$/;
const SKIPPED = new Set(['node_modules', 'dist', '.data', '.git', '.turbo']);
const HTML_LINK = /(?:href|src)=/;

/**
 * A remark plugin that reports paths, paths of trees, tests and commands that a page names and that do not
 * exist in `root`, and links in HTML, which remark does not check.
 */
export function checkReferences({ root }: { readonly root: string }) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const files = listFiles(root);
  const isPathThere = (name: string) =>
    NAMED_TEST.test(name)
      ? files.some((file) => `/${file}`.endsWith(`/${name}`))
      : !NAMED_PATH.test(name) || existsSync(join(root, name));

  const scriptNames = new Set(Object.keys(scripts));

  return (tree: Root, page: VFile): void => {
    visit(tree, ['inlineCode', 'code', 'html'], (node) => {
      if (!('value' in node)) return;
      const missing = findUnknownCommands(node.value, scriptNames);
      if (node.type === 'inlineCode' && !isPathThere(node.value)) missing.push(node.value);
      if (node.type === 'code' && node.lang === 'tree') {
        missing.push(...treePaths(node.value).filter((path) => !existsSync(join(root, path))));
      }
      for (const name of missing) page.message(`${name} does not exist`, node);
      if (node.type === 'html' && HTML_LINK.test(node.value)) {
        page.message('Write links and images in Markdown', node);
      }
    });
  };
}

/** Paths of all files below `root`, relative to it, without what is installed, built or written by a run. */
export function listFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return SKIPPED.has(entry.name) ? [] : listFiles(root, path);
  });
}

/** Paths of an annotated tree: two spaces of indent for each level, a note after two or more spaces. */
function treePaths(tree: string): string[] {
  const parents: string[] = [];
  return tree
    .split('\n')
    .filter((line) => /\S/.test(line))
    .map((line) => {
      const [, indent, name] = /^( *)(\S+)/.exec(line)!;
      parents.splice(indent!.length / 2, Infinity, name!.replace(/\/$/, ''));
      return parents.join('/');
    });
}
