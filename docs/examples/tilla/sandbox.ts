// Tilla's side for tests, written from its API (README.md) and not from the plugin: it checks what it is asked, and signs what it tells.
import { createHmac } from 'node:crypto'
import { scriptedUpstream, sendJson } from 'tollgate/test'

export interface Checkout {
  order: string
  amount: number
  currency: string
  shop: string
  notices: string
}

export interface Sandbox {
  readonly url: string
  readonly checkouts: readonly Checkout[]
  /** Tells the shop; resolves to the status of its answer. */
  tell(kind: string, data: object, how?: { secret?: string; ageSeconds?: number }): Promise<number>
  close(): Promise<void>
}

export const keys = { api: 'key-of-the-shop', notices: 'secret-of-the-notices' } as const

export async function openSandbox(): Promise<Sandbox> {
  const server = await scriptedUpstream()
  const checkouts = new Map<string, Checkout>()
  server.behave((response, { path, headers, body }) => {
    if (headers['authorization'] !== `Bearer ${keys.api}`) return sendJson(response, {}, 401)
    const { order, amount, currency, shop, notices } = body
    const isWhole = Number.isSafeInteger(amount) && Number(amount) > 0
    const isSound = path === '/v1/checkouts' && isWhole && headers['idempotency-key'] === order
    if (!isSound) return sendJson(response, { why: 'odd checkout' }, 422)
    checkouts.set(String(order), { order, amount, currency, shop, notices } as Checkout)
    sendJson(response, { page: `https://pay.tilla.example/${String(order)}` })
  })
  return {
    url: server.url,
    get checkouts() {
      return [...checkouts.values()]
    },
    async tell(kind, data, { secret = keys.notices, ageSeconds = 0 } = {}) {
      const address = [...checkouts.values()].at(-1)?.notices ?? ''
      const body = JSON.stringify({ kind, data })
      const seconds = Math.floor(Date.now() / 1000) - ageSeconds
      const sum = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
      const answer = await fetch(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'tilla-signature': `t=${seconds},v1=${sum}`,
        },
        body,
      })
      return answer.status
    },
    close: () => server.close(),
  }
}
