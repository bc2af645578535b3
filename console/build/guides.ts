import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';

interface Guide {
  /** Its path under `/guides`. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The source file, relative to `docs/`. */
  readonly file: string;
  /** A page of the course: listed in the course only. */
  readonly isLesson?: boolean;
}

const all: readonly Guide[] = [
  {
    name: 'tour',
    title: 'Get started',
    about: 'From zero to a tested client in 15 minutes',
    file: 'TOUR.md',
  },
  {
    name: 'testing',
    title: 'Test a client',
    about: 'Put a store in any state, trigger failures, and run the client checks',
    file: 'TESTING.md',
  },
  {
    name: 'teaching',
    title: 'Teach a class',
    about: 'Exercises, and a check that a test suite catches bugs',
    file: 'TEACHING.md',
  },
  {
    name: 'course',
    title: 'The course',
    about: 'Fifteen exercises in API testing, in Python, JavaScript and Java',
    file: 'course/README.md',
  },
  { name: 'errors', title: 'Errors', about: 'Every error code, its cause and its fix', file: 'ERRORS.md' },
  {
    name: 'limits',
    title: 'Limits',
    about: 'Quotas and size limits, and what happens when you exceed them',
    file: 'api/LIMITS.md',
  },
  {
    name: 'migration',
    title: 'Migrate to version 2',
    about: 'What changes from version 1, call by call',
    file: 'MIGRATION.md',
  },
  {
    name: 'client',
    title: 'TypeScript client',
    about: 'Orders, pagination, retries and events in a few lines',
    file: 'CLIENT.md',
  },
  {
    name: 'command-line',
    title: 'Command line',
    about: 'Run the service, its checks and your store from a terminal',
    file: 'CLI.md',
  },
  {
    name: 'ci',
    title: 'CI',
    about: 'A store for each run, on GitHub Actions, GitLab and others',
    file: 'CI.md',
  },
  {
    name: 'packages',
    title: 'Packages',
    about: 'Executable, tarball and container image, for machines without a clone',
    file: 'PACKAGES.md',
  },
  {
    name: 'test-package',
    title: 'Stores in your tests',
    about: "A store of its own for each of your tests, in the test's process",
    file: '../testing/README.md',
  },
  {
    name: 'agents',
    title: 'AI agents',
    about: 'The same operations as tools, over the Model Context Protocol',
    file: 'AGENTS.md',
  },
  {
    name: 'decisions',
    title: 'Design decisions',
    about: 'What the specification leaves open, by topic, and the stability of every operation',
    file: 'DECISIONS.md',
  },
  {
    name: 'version-1',
    title: 'Version 1',
    about: 'Orders, pets and HTTP in the frozen API',
    file: 'api/V1.md',
  },
  {
    name: 'version-2',
    title: 'Version 2',
    about: 'Requests, idempotency, pagination and schemas',
    file: 'api/V2.md',
  },
  {
    name: 'events',
    title: 'Events and webhooks',
    about: 'Event log, streams and deliveries',
    file: 'api/EVENTS.md',
  },
  {
    name: 'sandbox',
    title: 'Sandbox',
    about: 'Data sets, resets, temporary stores and faults',
    file: 'api/SANDBOX.md',
  },
  {
    name: 'accounts',
    title: 'Keys and accounts',
    about: 'Keys, passwords, sessions and logs',
    file: 'api/ACCOUNTS.md',
  },
];

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const lessons: readonly Guide[] = readdirSync(join(docs, 'course'))
  .filter((file) => file !== 'README.md')
  .map((file) => {
    const [, title = ''] = /^# (.*)/.exec(readFileSync(join(docs, 'course', file), 'utf8')) ?? [];
    const name = `course-${file.replace('.md', '')}`;
    return { name, title, about: '', file: `course/${file}`, isLesson: true };
  });
/** The guides in the contents; lessons are listed in the course. */
export const listed = all.filter(({ file }) => existsSync(join(docs, file)));
const guides = [...listed, ...lessons];

/** The URL of a linked file; undefined if it is not published as a guide. */
function addressOf(href: string, from: string): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const fragment = href.split('#')[1];
  const guide = guides.find(({ file }) => pathOf(file, '') === pathOf(href, from));
  return guide && `/guides/${guide.name}${fragment ? `#${fragment}` : ''}`;
}

/** The linked file's path in the repository; `from` is the linking file in `docs/`. */
function pathOf(href: string, from: string): string {
  return new URL(href, `file:///docs/${from}`).pathname.slice(1);
}

const aboutPaths =
  '<p>Paths such as <code>docs/OPERATIONS.md</code> refer to files in the Pet Store repository.</p>\n';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/<[^>]+>|[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');

/** Converts a page of `docs/`: relative links depend on its folder. */
const markdownOf = (from: string) =>
  new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href, from);
        if (address !== undefined) return `<a href="${address}" class="link">${text}</a>`;
        const path = pathOf(href, from);
        return text.includes(path) ? text : `${text} (<code>${path}</code>)`;
      },
      // Scrollable blocks must be focusable to be scrolled by keyboard.
      code: ({ text }) =>
        `<div class="guide-code"><pre tabindex="0"><code>${escaped(text)}</code></pre><button type="button" class="button button-small" data-copy>Copy</button></div>\n`,
      // Images from `docs/` are not served.
      image: () => '',
      table({ header, rows }) {
        const line = (cells: typeof header, tag: string) =>
          `<tr>${cells
            .map(({ tokens }) => this.parser.parseInline(tokens))
            // An empty header cell is a plain cell: axe rejects an empty <th>.
            .map((text) => (text === '' ? '<td></td>' : `<${tag}>${text}</${tag}>`))
            .join('')}</tr>`;
        const body = rows.map((cells) => line(cells, 'td')).join('');
        return `<div class="guide-table" tabindex="0"><table><thead>${line(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });

/** A lesson is in the course. */
const isIn = (guide: Guide, here?: Guide) =>
  guide === here || (here?.isLesson === true && guide.name === 'course');

const navigation = (here?: Guide) =>
  listed
    .map(
      (guide) =>
        `<li><a href="/guides/${guide.name}"${isIn(guide, here) ? ' aria-current="page"' : ''}>${guide.title}</a></li>`,
    )
    .join('');

/** Links to the sections of a guide; nothing for a short one. */
function sectionsOf(content: string): string {
  const sections = Array.from(content.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g), ([, id, title = '']) => {
    const name = title.replaceAll(/<\/?(a|code)\b[^>]*>/g, '');
    return `<li><a href="#${id}">${name}</a></li>`;
  });
  if (sections.length < 3) return '';
  return `<nav aria-label="On this page" class="guide-sections"><h2>On this page</h2><ul>${sections.join('')}</ul></nav>`;
}

function nextOf(here: Guide): string {
  // A lesson links to the next one itself.
  if (here.isLesson) return '';
  const next = listed[listed.indexOf(here) + 1];
  return next ? `<p class="guide-next"><a href="/guides/${next.name}">Next: ${next.title}</a></p>\n` : '';
}

/** The text of each section, for the search field. */
function searchable({ name, title }: Guide, content: string) {
  return content.split(/(?=<h[23] )/).map((section) => {
    const [, id = '', heading = title] = /^<h[23] id="([^"]+)">(.*?)<\/h/s.exec(section) ?? [];
    const text = plainText(section);
    return { path: `/guides/${name}${id && `#${id}`}`, guide: title, heading: plainText(heading), text };
  });
}

const plainText = (html: string) =>
  html
    .replaceAll(/<button.*?<\/button>|<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

const contents = () =>
  `<h1>Guides</h1><ul class="guides">${listed
    .map(
      ({ name, title, about }) =>
        `<li><a href="/guides/${name}"><strong>${title}</strong><span>${about}</span></a></li>`,
    )
    .join('')}</ul>`;

/** Renders the guides from `docs/` into the built `guide.html` template. */
export async function makeGuides(folder: string): Promise<void> {
  const frame = await readFile(join(folder, 'guide.html'), 'utf8');
  const written = await Promise.all(
    guides.map(async (guide) => {
      const text = await readFile(join(docs, guide.file), 'utf8');
      return { guide, content: await markdownOf(guide.file).parse(text) };
    }),
  );
  const index = JSON.stringify(written.flatMap(({ guide, content }) => searchable(guide, content)));
  const indexName = `guides-${hash('sha256', index, 'hex').slice(0, 8)}.json`;
  await writeFile(join(folder, 'assets', indexName), index);
  const fill = (title: string, links: string, content: string) =>
    frame
      .replace('<!-- title -->', () => title)
      .replace('<!-- index -->', () => `/console/assets/${indexName}`)
      .replace('<!-- navigation -->', () => links)
      .replace('<!-- content -->', () => content);
  await mkdir(join(folder, 'guides'), { recursive: true });
  await writeFile(join(folder, 'guides/index.html'), fill('Guides', navigation(), contents()));
  for (const { guide, content } of written) {
    const whole = content.replace('</h1>', () => `</h1>${sectionsOf(content)}`) + nextOf(guide);
    const isNamingPaths = /\(<code>[\w/.-]+<\/code>\)/.test(content);
    const page = fill(guide.title, navigation(guide), whole + (isNamingPaths ? aboutPaths : ''));
    await writeFile(join(folder, `guides/${guide.name}.html`), page);
  }
  await rm(join(folder, 'guide.html'));
}
