import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../workspace/workspace-config.js';

/** A relative link, or with `!` a picture. */
const LINK = /(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

/**
 * Copies the pages for users and operators into the package. The targets of some links stay behind, such as
 * sources and the program of the example: of such a link its text is left, of a picture nothing.
 */
export function packPages(folder: string): void {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[];
  const pages = [
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...docs
      .filter((path) => path.endsWith('.md') && !path.startsWith('examples'))
      .map((path) => join('docs', path)),
  ];
  for (const page of pages) {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    cpSync(join(ROOT, page), join(folder, page));
  }
  for (const page of pages.map((path) => join(folder, path))) {
    const text = readFileSync(page, 'utf8').replace(
      LINK,
      (link: string, picture: string, label: string, target: string) => {
        if (existsSync(join(dirname(page), target))) return link;
        return picture === '' ? label : '';
      },
    );
    writeFileSync(page, text);
  }
}
