import type { HttpClient } from '../contract/http-client.ts'
import type { Logger } from '../contract/services.ts'
import type { JsonObject } from '../contract/json.ts'
import { concurrencyLimit } from '../limits/concurrency-limit.ts'
import { closeBody } from '../net/close-body.ts'

const timeoutMs = 10_000
/** Calls that run at the same time; the addresses belong to users and may be slow. */
const mostAtOnce = 16
/** Calls that may wait; further ones are dropped, because clients can always fetch the task. */
const mostWaiting = 1_000

export interface ClientHooks {
  /** Posts `body` to an address that a user has named. Never throws, and is not waited for. */
  post(url: string, body: JsonObject): void
}

export function createClientHooks({ http, log }: { http: HttpClient; log: Logger }): ClientHooks {
  const inTurn = concurrencyLimit(mostAtOnce, mostWaiting, () => new Error('too many hooks wait'))

  async function send(url: string, body: JsonObject): Promise<void> {
    try {
      const response = await http.request(
        {
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        { trust: 'user', firstByteTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs },
      )
      await closeBody(response)
    } catch (error) {
      // Without the address, whose query may contain a key of the user's.
      log.info({ err: error }, 'a hook of a task could not be called')
    }
  }

  return {
    post: (url, body) => {
      if (url !== '') inTurn(() => send(url, body)).catch(() => undefined)
    },
  }
}
