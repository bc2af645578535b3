/** What came with the body of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** Names this version: sent as `if-none-match`, it gets a 304 for as long as nothing changes. */
  readonly etag: string | undefined;
}

export interface ApiResponse<T> {
  readonly body: T;
  readonly head: AnswerHead;
}

/** The result of a call, and with `withResponse()` also what came with it. */
export interface Result<T> extends Promise<T> {
  withResponse(): Promise<{ readonly data: T; readonly response: AnswerHead }>;
}

export function resultOf<T>(response: Promise<ApiResponse<T>>): Result<T> {
  const result = response.then(({ body }) => body);
  return Object.assign(result, {
    withResponse: () => {
      // Whoever asks for both is told of a failure by what this returns.
      result.catch(() => {});
      return response.then(({ body: data, head: response }) => ({ data, response }));
    },
  });
}

export function headOf({ status, headers }: Response): AnswerHead {
  const header = (name: string) => headers.get(name) ?? undefined;
  return { status, headers, requestId: header('x-request-id'), etag: header('etag') };
}

/** The same answer with another body. */
export async function mapped<A, B>(
  response: Promise<ApiResponse<A>>,
  map: (body: A) => B,
): Promise<ApiResponse<B>> {
  const { body, head } = await response;
  return { body: map(body), head };
}
