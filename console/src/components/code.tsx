import { Fragment } from 'react';
import { highlight } from '../docs/highlight.ts';

/** JSON strings without spaces, such as dates, must not wrap at hyphens. */
const isOneWord = (language: string, part: string) => language === 'json' && !part.includes(' ');

/** Highlighted code. */
export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return highlight(text, language).map(([kind, part], index) =>
    kind ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity.
      <span key={index} className={`code-${kind}${isOneWord(language, part) ? ' whitespace-nowrap' : ''}`}>
        {part}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
