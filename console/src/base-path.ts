/** Part of the public URL before `/console`; usually empty. The service writes it into its pages. */
export const basePath = globalThis.document?.documentElement.dataset.basePath ?? '';

/** The public path of a path of the service. */
export const publicPath = (path: string) => basePath + path;

/** The path of the current page, without the base path. */
export const currentPath = () => location.pathname.slice(basePath.length);
