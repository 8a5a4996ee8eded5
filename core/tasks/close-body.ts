import type { UpstreamResponse } from '../contract/adapter.ts'

/** Ends an answer whose rest is not needed. Leaving a body closes its connection only if reading has begun. */
export async function closeBody({ body }: UpstreamResponse): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  await chunks.next()
  await chunks.return?.()
}
