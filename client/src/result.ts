/** Metadata of a response. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** The response of `fetch`, whose body has been read. */
  readonly raw: Response;
  /** Sent as `if-none-match`, it returns 304 until something changes. */
  readonly etag: string | undefined;
}

export interface ApiResponse<T> {
  readonly body: T;
  readonly head: AnswerHead;
}

/** The result of a call; `withResponse()` adds the metadata. */
export interface Result<T> extends Promise<T> {
  withResponse(): Promise<{ readonly data: T; readonly response: AnswerHead }>;
}

export function resultOf<T>(response: Promise<ApiResponse<T>>): Result<T> {
  const result = response.then(({ body }) => body);
  return Object.assign(result, {
    withResponse: () => {
      // Failures are reported by the returned promise.
      result.catch(() => {});
      return response.then(({ body: data, head: response }) => ({ data, response }));
    },
  });
}

export function headOf(raw: Response): AnswerHead {
  const { status, headers } = raw;
  const header = (name: string) => headers.get(name) ?? undefined;
  return { status, headers, raw, requestId: header('x-request-id'), etag: header('etag') };
}

/** The same response with another body. */
export async function mapBody<A, B>(
  response: Promise<ApiResponse<A>>,
  map: (body: A) => B,
): Promise<ApiResponse<B>> {
  const { body, head } = await response;
  return { body: map(body), head };
}
