import type { CustomFetch } from 'openid-client'
import type { PluginServices, UpstreamResponse } from '#core'

const MAX_BYTES = 1_048_576
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304])

/** Lets openid-client send its requests through the gateway's own HTTP client. */
export function guardedFetch(http: PluginServices['http']): CustomFetch {
  return async (url, { body, headers, method, signal }) => {
    const text = body === null || body === undefined ? undefined : textOf(body)
    const response = await http.request(
      { method, url, headers, ...(text === undefined ? {} : { body: text }) },
      { signal, firstByteTimeoutMs: 10_000, idleTimeoutMs: 10_000 },
    )
    const data = await read(response)
    return new Response(WITHOUT_BODY.has(response.status) ? null : new Uint8Array(data), {
      status: response.status,
      headers: response.headers,
    })
  }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('openid-client sent a body that is neither text nor a form')
}

async function read({ body }: UpstreamResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new Error('The answer of the provider is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
