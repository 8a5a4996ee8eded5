import { createHmac } from 'node:crypto'
import type { Notifier, PluginServices } from '#core'

type Message = Parameters<Notifier['send']>[0]
type Services = Pick<PluginServices, 'http' | 'options'>

const TIMEOUT_MS = 5_000

/** Delivers a notice to the address that the user has set, directly or through the operator's worker. Placeholders
 *  in the content are kept: the receiver fills them from `values`.
 *  @throws Error if it was not delivered */
export async function sendWebhook(
  { http, options }: Services,
  message: Message,
  nowSeconds = Math.floor(Date.now() / 1000),
): Promise<void> {
  const { webhookUrl, webhookSecret } = message.to
  if (webhookUrl === undefined) return
  const body = bodyOf(message, nowSeconds)
  const headers = headersOf(body, webhookSecret)
  const worker = options.get<string>('WorkerUrl')
  const [request, trust] =
    worker === ''
      ? ([{ method: 'POST', url: webhookUrl, headers, body }, 'user'] as const)
      : ([
          byWorker(worker, options.get<string>('WorkerValidKey'), webhookUrl, headers, body),
          'admin',
        ] as const)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const limits = { signal, firstByteTimeoutMs: TIMEOUT_MS }
  const { status, body: answer } = await http.request(request, { trust, ...limits })
  // Unread, it would keep its connection until the limit.
  await answer[Symbol.asyncIterator]().return?.()
  if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`)
}

function bodyOf({ kind, title, content, values }: Message, timestamp: number): string {
  return JSON.stringify({
    type: kind,
    title,
    content,
    ...(values.length > 0 ? { values } : {}),
    timestamp,
  })
}

/** Sends the secret itself, for receivers that compare it, and a signature of the body. */
export function headersOf(body: string, secret: string | undefined): Record<string, string> {
  const type = { 'content-type': 'application/json' }
  if (secret === undefined) return type
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return { ...type, authorization: `Bearer ${secret}`, 'x-webhook-signature': signature }
}

function byWorker(
  worker: string,
  key: string,
  url: string,
  headers: Record<string, string>,
  body: string,
) {
  if (!url.startsWith('https://')) throw new Error('the worker delivers to https addresses only')
  return {
    method: 'POST',
    url: `${worker}/`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, key, method: 'POST', headers, body: JSON.parse(body) as unknown }),
  }
}
