export const apiHeaders = Object.entries({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}).flat();

export interface InlineHashes {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

export function pageHeaders(
  otherOrigins: readonly string[],
  baseUrl: string | undefined,
  inline: InlineHashes,
): string[] {
  const policy = [
    "default-src 'self'",
    `script-src ${["'self'", ...inline.scripts].join(' ')}`,
    `style-src ${["'self'", ...inline.styles].join(' ')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    // The console asks the other deployment how it is.
    `connect-src ${["'self'", ...otherOrigins].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return Object.entries({
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...(baseUrl?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }).flat();
}
