import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', '.data', '.git', '.turbo']);

/** Paths of all files below `root`, relative to it, without what is installed, built or written by a run. */
export function listFiles(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return SKIPPED.has(entry.name) ? [] : listFiles(root, path);
  });
}

const FENCE = /^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm;

/** Fenced code blocks: `language`, `note` (the rest of the info string) and `text`, without the fence's indent. */
export function codeBlocks(markdown) {
  return [...markdown.matchAll(FENCE)].map(([, indent, info, text]) => {
    const [language, ...note] = info.trim().split(' ');
    return {
      language,
      note: note.join(' '),
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    };
  });
}

const withoutBlocks = (markdown) => markdown.replaceAll(FENCE, '');

/** What inline code holds. */
export const inlineCode = (markdown) =>
  [...withoutBlocks(markdown).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text);

/** Links with and without a title, definitions of link references, and those in HTML. */
const LINKS = [/\]\(([^()\s]+)(?: "[^"]*")?\)/g, /^\[[^\]]+\]: (\S+)/gm, /(?:href|src)="([^"]+)"/g];

/** Targets of links, as written. */
export function links(markdown) {
  const prose = withoutBlocks(markdown).replaceAll(/`[^`\n]+`/g, '');
  return LINKS.flatMap((form) => [...prose.matchAll(form)].map(([, target]) => target));
}

/** The anchors that GitHub gives to a page's headings. */
export function anchors(markdown) {
  const found = new Set();
  for (const [, heading] of withoutBlocks(markdown).matchAll(/^#{1,6} +(.+)$/gm)) {
    const base = slug(heading);
    let anchor = base;
    for (let again = 1; found.has(anchor); again++) anchor = `${base}-${again}`;
    found.add(anchor);
  }
  return found;
}

const slug = (heading) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
