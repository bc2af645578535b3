import guides from 'petstore:guides';
import { operationCalls } from '../api/contract.generated.ts';
import type { InspectedRequest } from '../api/requests.ts';
import type { Pet } from '../api/store.ts';
import { publicPath } from '../base-path.ts';
import type { IconName } from '../components/icon.tsx';
import { parseOrderId } from '../order-id.ts';
import { operationOf } from '../requests-search.ts';

/** One entry of the command palette. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly detail?: string;
  readonly icon?: IconName;
  /** A pet's category, drawn as its animal. */
  readonly animal?: string;
  /** A path below `/console`. */
  readonly to?: string;
  /** An address that opens in a new tab. */
  readonly href?: string;
  readonly run?: () => void;
}

export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Command[];
}

/** Maximum number of commands shown per group. */
const MAX_PER_GROUP = 6;

const guideCommands: readonly Command[] = guides.map(([path, title, about]) => ({
  id: path,
  title,
  detail: about,
  icon: 'guide',
  href: publicPath(path),
}));

const operationCommands: readonly Command[] = Object.entries(operationCalls).map(
  ([name, [call, summary]]) => ({
    id: name,
    title: summary,
    detail: call,
    icon: 'code',
    href: publicPath(name.startsWith('v1.') ? `/docs#${name.slice(3)}` : `/docs/v2#${name.slice(3)}`),
  }),
);

const petCommand = ({ id, name, category, stock }: Pet): Command => ({
  id: `pet ${id}`,
  title: name,
  detail: `Pet ${id}, ${category}, ${stock} in stock`,
  animal: category,
  to: `/pets?q=${id}`,
});

const requestCommand = (request: InspectedRequest): Command => ({
  id: `request ${request.id}`,
  title: `${request.method} ${request.path}`,
  detail: [request.status ?? 'No response', operationOf(request), request.requestId].join(' · '),
  icon: 'requests',
  to: `/requests/${request.id}`,
});

/** Matches an order ID. The order need not be loaded. */
function orderCommands(text: string): readonly Command[] {
  const order = parseOrderId(text.replace(/^orders?\s+/i, ''));
  if (!('id' in order)) return [];
  return [{ id: 'order', title: `Order ${order.id}`, icon: 'orders', to: `/orders/${order.id}` }];
}

/** The commands that match a text, by group. Without a text: all pages and actions. */
export function findCommands(
  text: string,
  sources: {
    readonly pages: readonly Command[];
    readonly actions: readonly Command[];
    readonly pets: readonly Pet[];
    readonly requests: readonly InspectedRequest[];
  },
): readonly CommandGroup[] {
  const { pages, actions } = sources;
  const query = text.trim();
  if (query === '') {
    return [
      { name: 'Pages', commands: pages },
      { name: 'Actions', commands: actions },
    ];
  }
  const groups: readonly CommandGroup[] = [
    { name: 'Orders', commands: orderCommands(query) },
    { name: 'Pages', commands: bestMatches(pages, query) },
    { name: 'Actions', commands: bestMatches(actions, query) },
    { name: 'Pets', commands: bestMatches(sources.pets.map(petCommand), query) },
    { name: 'Requests', commands: bestMatches(sources.requests.map(requestCommand), query) },
    { name: 'Guides', commands: bestMatches(guideCommands, query) },
    { name: 'API reference', commands: bestMatches(operationCommands, query) },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
}

/** The commands that contain every word. First those whose title starts with the text, then those whose title contains it. */
function bestMatches(commands: readonly Command[], text: string): readonly Command[] {
  const query = text.toLowerCase();
  const words = query.split(/\s+/);
  const ranked = commands.flatMap((command) => {
    const title = command.title.toLowerCase();
    const all = `${title} ${command.detail?.toLowerCase() ?? ''} ${command.id.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return [];
    return [{ command, rank: title.startsWith(query) ? 0 : title.includes(query) ? 1 : 2 }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_PER_GROUP)
    .map(({ command }) => command);
}
