import type { UpstreamResponse } from '../contract/adapter.ts'

/** Ends an answer whose rest is of no use; only a body that was begun closes its connection when it is left. */
export async function closeBody({ body }: UpstreamResponse): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  await chunks.next()
  await chunks.return?.()
}
