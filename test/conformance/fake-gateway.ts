// A gateway in miniature that passes OpenAI calls through, with faults to plant: what the runner itself is tested against.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** What a planted fault changes; everything absent works as it should. */
export interface Faults {
  editRequest?: (body: Record<string, unknown>) => Record<string, unknown>
  editAnswer?: (text: string) => string
  status?: number
  extraHeaders?: Record<string, string>
  callsTwice?: boolean
  dropsCall?: boolean
  billsFailures?: boolean
  billedTokens?: number
  neverDisables?: boolean
  disablesAlways?: boolean
  neverRetries?: boolean
}

interface Row extends Record<string, unknown> {
  id: number
}

/** All rows are of consumption. */
function isAskedFor(row: Row, asked: URLSearchParams): boolean {
  return !asked.has('token_name') || row['token_name'] === asked.get('token_name')
}

export async function startFakeGateway(faults: Faults = {}) {
  const gateway = new FakeGateway(faults)
  const server = createServer((request, response) => void gateway.handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

class FakeGateway {
  readonly #faults: Faults
  readonly #channels: Row[] = []
  readonly #tokens: Row[] = []
  readonly #logs: Row[] = []
  readonly #options = new Map<string, string>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const url = new URL(request.url ?? '/', 'http://gateway')
    if (!url.pathname.startsWith('/api/')) return this.#relay(request, body, response)
    const parsed = (body.length > 0 ? JSON.parse(body.toString()) : {}) as Record<string, unknown>
    const data = this.#api(`${request.method} ${url.pathname}`, url, parsed)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ success: true, message: '', data }))
  }

  #api(route: string, url: URL, body: Record<string, unknown>): unknown {
    const id = Number(url.pathname.split('/')[3])
    switch (route.replace(/\/\d+$/, '/:id')) {
      case 'POST /api/user/login':
        return { id: 1 }
      case 'GET /api/user/self':
        return { quota: 1_000_000 }
      case 'GET /api/option/':
        return [...this.#options].map(([key, value]) => ({ key, value }))
      case 'PUT /api/option/':
        return void this.#options.set(String(body['key']), String(body['value']))
      case 'POST /api/channel/':
        return [this.#channels.push({ ...body, id: this.#channels.length + 1 })]
      case 'GET /api/channel/':
        return this.#channels.filter(
          ({ status }) => String(status) === url.searchParams.get('status'),
        )
      case 'GET /api/channel/:id':
        return this.#channels[id - 1]
      case 'POST /api/token/':
        return this.#newToken(body)
      case 'GET /api/token/:id':
        return this.#tokens[id - 1]
      case 'GET /api/log/':
        return { items: this.#logs.filter((row) => isAskedFor(row, url.searchParams)) }
      default:
        return undefined
    }
  }

  #newToken(body: Record<string, unknown>): Row {
    const id = this.#tokens.length + 1
    const token = { ...body, id, key: `key${id}`, used_quota: 0, remain_quota: 0 }
    this.#tokens.push(token)
    return token
  }

  async #relay(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const key = request.headers.authorization?.replace('Bearer ', '')
    const token = this.#tokens.find((row) => row['key'] === key)
    const channels = this.#channels.filter((row) => row['group'] === token?.['group'])
    if (this.#faults.dropsCall || !token) {
      response.end('{}')
      return
    }
    const retries = this.#faults.neverRetries ? 0 : Number(this.#options.get('RetryTimes'))
    let answer = await this.#send(request, body, channels[0])
    for (let retry = 1; retry <= retries && answer.status !== 200; retry++) {
      answer = await this.#send(request, body, channels[retry])
    }
    if (this.#faults.callsTwice) await this.#send(request, body, channels[0])
    this.#settle(token, channels[0], answer)
    const edited = this.#faults.editAnswer?.(answer.text) ?? answer.text
    response.writeHead(this.#faults.status ?? answer.status, {
      'content-type': answer.contentType,
      ...this.#faults.extraHeaders,
    })
    Readable.from([edited]).pipe(response)
  }

  async #send(request: IncomingMessage, body: Buffer, channel: Row | undefined) {
    const parsed = JSON.parse(body.toString()) as Record<string, unknown>
    const wanted = parsed['stream'] ? { stream_options: { include_usage: true } } : {}
    const edited = this.#faults.editRequest?.(parsed) ?? parsed
    const upstream = await fetch(String(channel?.['base_url']) + request.url, {
      method: request.method ?? 'POST',
      headers: {
        authorization: `Bearer ${String(channel?.['key'])}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...edited, ...wanted }),
    })
    const text = await upstream.text()
    return {
      status: upstream.status,
      text,
      contentType: upstream.headers.get('content-type') ?? '',
    }
  }

  #settle(token: Row, channel: Row | undefined, answer: { status: number; text: string }): void {
    const isDead = answer.status === 401 && !this.#faults.neverDisables
    if (channel && (isDead || this.#faults.disablesAlways)) channel['status'] = 3
    if (answer.status !== 200 && !this.#faults.billsFailures) return
    const figure = (name: string) =>
      Number(new RegExp(`"${name}":(\\d+)`).exec(answer.text)?.[1] ?? 0)
    this.#logs.push({
      id: this.#logs.length + 1,
      type: 2,
      token_name: token['name'],
      prompt_tokens: this.#faults.billedTokens ?? figure('prompt_tokens'),
      completion_tokens: figure('completion_tokens'),
      is_stream: answer.text.startsWith('data:'),
      other: '{}',
    })
  }
}
