import { useEffect } from 'react';
import text from '../../../../../docs/console.md?raw';
import { Page } from '../../elements/page.js';
import { anchorOf, readWords } from './read-words.js';

const words = readWords(text);

/** The words of the console, in plain terms. */
export function HelpPage() {
  useEffect(() => {
    // The page comes after the address: the browser has looked for the word before.
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <Page title="Help" lead="Ten words that this console uses, in plain terms.">
      <dl className="max-w-3xl rounded-lg border border-line bg-surface">
        {words.map((word) => (
          <div
            key={word.name}
            id={anchorOf(word)}
            className="grid gap-x-6 gap-y-1 border-b border-line px-4 py-3 last:border-0 target:bg-accent-tint md:grid-cols-[9rem_1fr]"
          >
            <dt className="font-semibold">{word.name}</dt>
            <dd>{word.meaning}</dd>
          </div>
        ))}
      </dl>
    </Page>
  );
}
