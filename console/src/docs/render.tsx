import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { writeJson } from '../../../client/src/json.ts';
import {
  type ApiDocument,
  formOperationOf,
  type Group,
  groupsOf,
  type Operation,
  resolve,
  type Schema,
} from './document.ts';
import { Frame } from './frame.tsx';
import { Navigation } from './navigation.tsx';
import type { PageContext, Version } from './page-context.ts';
import { GroupPage, VersionOne, VersionTwo } from './pages.tsx';
import { withoutMarkdown } from './prose.tsx';
import { findSampleIds } from './sample-ids.ts';
import type { Entry } from './search-entry.ts';

interface RenderedPage {
  /** Its file below `docs/`, without `.html`. */
  readonly name: string;
  readonly title: string;
  readonly body: string;
}

type Documents = Readonly<Record<Version, ApiDocument>>;

/** `build/guides.ts` replaces it with the path of the search index. */
const INDEX = 'SEARCH_INDEX';

/** Schemas with a section at the top of their group's page. */
const objects: Readonly<Record<string, readonly string[]>> = {
  orders: ['Order'],
  pets: ['Pet'],
  webhooks: ['Webhook', 'Delivery'],
  inspector: ['InspectedRequest'],
};

/** Renders the reference from the OpenAPI documents, at build time. */
export async function renderReference(documents: Documents): Promise<RenderedPage[]> {
  const pages: RenderedPage[] = [];
  for (const version of ['v1', 'v2'] as const) {
    const document = documents[version];
    const groups = groupsOf(document);
    const sampleIds = await findSampleIds(version, async () => []);
    const contextOf = (tag: string, objects: readonly string[]): PageContext => ({
      version,
      document,
      sampleIds,
      isSandbox: tag === 'sandbox',
      objects,
    });
    const addPage = (
      name: string,
      title: string,
      content: ReactNode,
      open?: Group,
      context?: PageContext,
    ) => {
      const navigation = <Navigation version={version} groups={groups} {...(open && { open })} />;
      const operations = context ? (open?.operations ?? groups.flatMap((group) => group.operations)) : [];
      const body = renderToStaticMarkup(
        <Frame part="reference" index={INDEX} navigation={navigation}>
          {content}
        </Frame>,
      );
      pages.push({
        name,
        title,
        body: linkToGroupPages(body, documents) + (context ? dataFor(context, operations) : ''),
      });
    };
    if (version === 'v1') {
      const context = contextOf('', ['Order', 'Pet', 'Error']);
      addPage('v1', 'API reference', <VersionOne context={context} groups={groups} />, undefined, context);
      continue;
    }
    addPage('v2', 'API reference, version 2', <VersionTwo document={document} groups={groups} />);
    for (const group of groups) {
      const context = contextOf(group.tag, objects[group.tag] ?? []);
      addPage(
        `v2/${group.tag}`,
        `${group.name}, version 2`,
        <GroupPage group={group} context={context} />,
        group,
        context,
      );
    }
  }
  return pages;
}

/** The operations of the page, for its forms. */
function dataFor({ version, isSandbox, sampleIds }: PageContext, operations: readonly Operation[]): string {
  const formOperations = operations.filter(({ isMessage }) => !isMessage).map(formOperationOf);
  const text = writeJson({ version, isSandbox, sampleIds, operations: formOperations }) ?? '';
  return `<script type="application/json" id="request-data">${text.replaceAll('<', '\\u003c')}</script>`;
}

/** Rewrites links such as `/docs/v2#placeOrder` to the page of the operation's group. */
function linkToGroupPages(html: string, { v2 }: Documents): string {
  const groups = groupsOf(v2);
  return html.replaceAll(/href="\/docs\/v2#(\w+)"/g, (link, id) => {
    const group = groups.find(({ operations }) => operations.some((operation) => operation.id === id));
    return group ? `href="/docs/v2/${group.tag}#${id}"` : link;
  });
}

/** The operations of the reference, for the search index. */
export function entriesOf(documents: Documents): Entry[] {
  return (['v1', 'v2'] as const).flatMap((version) =>
    groupsOf(documents[version]).flatMap((group) =>
      group.operations.map((operation) => ({
        path: `/docs/${version}${version === 'v1' ? '' : `/${group.tag}`}#${operation.id}`,
        page: `API ${version}`,
        heading: withoutMarkdown(operation.summary),
        name: operation.id,
        text: textOf(documents[version], operation),
      })),
    ),
  );
}

function textOf(
  document: ApiDocument,
  { method, path, description, parameters, body, responses }: Operation,
): string {
  const [media] = Object.values(body ?? {});
  const fields = Object.keys(resolve<Schema>(document, media?.schema ?? {}).properties ?? {});
  const codes = responses.flatMap(({ content, isCommon }) =>
    isCommon ? [] : Object.values(content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {})),
  );
  const words = [...parameters.map(({ name }) => name), ...fields, ...new Set(codes)];
  return `${method} ${path} ${withoutMarkdown(description)} ${words.join(' ')}`;
}

/** The frame of a guide, in which `build/guides.ts` replaces the comments with rendered Markdown. */
export function renderGuideFrame(): string {
  const part = (name: string) => ({ __html: `<!-- ${name} -->` });
  return renderToStaticMarkup(
    // biome-ignore-start lint/security/noDangerouslySetInnerHtml: constants.
    <Frame part="guides" index={INDEX} navigation={<div dangerouslySetInnerHTML={part('navigation')} />}>
      <div className="guide-frame">
        <div className="guide" dangerouslySetInnerHTML={part('content')} />
        <aside className="guide-aside" dangerouslySetInnerHTML={part('aside')} />
      </div>
    </Frame>,
    // biome-ignore-end lint/security/noDangerouslySetInnerHtml: as above.
  );
}
