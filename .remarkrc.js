import remarkGfm from 'remark-gfm';
import remarkValidateLinks from 'remark-validate-links';
import { checkCodeBlocks } from './apps/cli/dist/checks/code-blocks.js';
import { checkReferences } from './apps/cli/dist/checks/references.js';

const root = import.meta.dirname;

/** The checks of Markdown pages: links, code blocks, and the files and scripts that pages name. */
export default {
  plugins: [
    remarkGfm,
    [remarkValidateLinks, { repository: false, root }],
    checkCodeBlocks,
    [checkReferences, { root }],
  ],
};
