import { Fragment } from 'react';
import { highlight } from '../docs/highlight.ts';

/** Strings of JSON in one word, such as dates, do not break at hyphens where lines wrap. */
const isWord = (language: string, part: string) => language === 'json' && !part.includes(' ');

/** Highlighted code. */
export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return highlight(text, language).map(([kind, part], index) =>
    kind ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity.
      <span key={index} className={`code-${kind}${isWord(language, part) ? ' whitespace-nowrap' : ''}`}>
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
