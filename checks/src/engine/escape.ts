const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML and HTML, and replaces control characters except tabs and newlines: XML forbids them. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => entities[character] as string);
}
