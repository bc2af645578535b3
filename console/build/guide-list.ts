import type { Plugin } from 'vite';
import { listed } from './guides.ts';

const ID = 'petstore:guides';

/** Provides path, title and description of each guide as the virtual module `petstore:guides`. */
export function importGuideList(): Plugin {
  const guides = listed.map(({ name, title, about }) => [`/guides/${name}`, title, about]);
  return {
    name: 'petstore:guide-list',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? `export default ${JSON.stringify(guides)};` : undefined),
  };
}
