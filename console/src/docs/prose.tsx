import { Fragment, type ReactNode } from 'react';

const inlineMarkdown = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Renders Markdown paragraphs with inline code and links. */
export function Prose({ text, className = '' }: { readonly text: string; readonly className?: string }) {
  return (
    <div className={`grid gap-3 ${className}`}>
      {text
        .trim()
        .split(/\n{2,}/)
        .filter((paragraph) => paragraph !== '')
        .map((paragraph) => (
          <p key={paragraph}>
            <Line text={paragraph} />
          </p>
        ))}
    </div>
  );
}

export function Line({ text }: { readonly text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const found of text.matchAll(inlineMarkdown)) {
    const [whole, code, name, href] = found;
    parts.push(text.slice(end, found.index));
    parts.push(
      code === undefined ? (
        <a href={href} className="link">
          {name}
        </a>
      ) : (
        <code className="rounded-md bg-sunken px-1 py-0.5 font-mono text-[0.875em]">{code}</code>
      ),
    );
    end = found.index + whole.length;
  }
  parts.push(text.slice(end));
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change order.
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
}

/** The text without Markdown syntax. */
export const withoutMarkdown = (text: string) => text.replaceAll(/`|\[([^\]]+)\]\([^)]*\)/g, '$1');
