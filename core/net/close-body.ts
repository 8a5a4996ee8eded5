import type { UpstreamResponse } from '../contract/http-client.ts'

/** Ends an answer of the HTTP client whose rest is not needed. A body that nobody reads or ends occupies its connection. */
export async function closeBody({ body }: UpstreamResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}
