import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withConfigurationTable } from './configuration-table.mjs';
import { format } from './format.mjs';

/** Says what in README.md is not so: a stale configuration table, links and paths that lead nowhere. */
export async function checkReadme(root) {
  const file = join(root, 'README.md');
  const readme = readFileSync(file, 'utf8');
  const problems = [...missingPaths(root, readme)];
  if ((await format(file, await withConfigurationTable(root, readme))) !== readme) {
    problems.push('the configuration table is stale: run npm run docs');
  }
  return { code: problems.length === 0 ? 0 : 1, output: problems.join('\n') };
}

function missingPaths(root, readme) {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, path]) => path);
  const named = [...readme.matchAll(/`((?:apps|packages|docker|test-e2e)\/[\w./-]+)`/g)].map(
    ([, path]) => path,
  );
  const tree = readme.match(/```tree\n([\s\S]*?)```/)?.[1] ?? '';
  return [...new Set([...links, ...named, ...treePaths(tree)])]
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `${path} does not exist`);
}

/** Paths of the annotated tree: two spaces of indent for each level, a note after two or more spaces. */
function treePaths(tree) {
  const parents = [];
  return tree
    .split('\n')
    .filter((line) => /\S/.test(line))
    .map((line) => {
      const [, indent, name] = /^( *)(\S+)/.exec(line);
      const depth = indent.length / 2;
      parents.splice(depth, Infinity, name.replace(/\/$/, ''));
      return parents.join('/');
    });
}
