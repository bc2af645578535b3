const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Indents JSON without parsing it, so that numbers keep every digit. */
export function indentJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  let margin = '';
  let written = '';
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') {
      margin += '  ';
      written += `${part}\n${margin}`;
    } else if (part === '}' || part === ']') {
      margin = margin.slice(2);
      const opened = written.trimEnd();
      written = /[{[]$/.test(opened) ? opened + part : `${opened}\n${margin}${part}`;
    } else if (part === ',') written += `,\n${margin}`;
    else written += part === ':' ? ': ' : part;
  }
  return written;
}
