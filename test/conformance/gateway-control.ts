// What the runner does to a gateway through its console API: options, channels, users, tokens, and the traces of a call.
import type { ChannelRecord, JsonObject, TokenRecord } from '#core'
import { ApiClient } from '../harness/api-client.ts'

/** A usage log row as the admin's list shows it. */
export interface LoggedRow extends JsonObject {
  id: number
  type: number
  other: string
}

/** What a gateway holds when all calls are over: read once, since each of two hundred cases asks for its part. */
export interface Ending {
  /** Rows of consumption, by the token's name. */
  consumption: ReadonlyMap<string, readonly LoggedRow[]>
  /** Channels that were disabled automatically. */
  disabled: ReadonlySet<number>
}

export interface Account {
  client: ApiClient
  id: number
}

/** 20 000 dollars: no fixture comes near it. */
const ampleQuota = 10_000_000_000
const password = 'conformance run'
const pageSize = 100
const automaticallyDisabled = 3

export class GatewayControl {
  readonly #root: ApiClient

  constructor(root: ApiClient) {
    this.#root = root
  }

  get url(): string {
    return this.#root.url
  }

  async options(): Promise<Map<string, string>> {
    const rows = await this.#root.get<{ key: string; value: string }[]>('/api/option/')
    return new Map(rows.map(({ key, value }) => [key, value]))
  }

  /** Sets the options and gives back a function that restores what they were. */
  async setOptions(wanted: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
    const before = await this.options()
    await this.#putAll(Object.entries(wanted))
    return () =>
      this.#putAll(Object.keys(wanted).map((key): [string, string] => [key, before.get(key) ?? '']))
  }

  async #putAll(pairs: readonly (readonly [string, string])[]): Promise<void> {
    for (const [key, value] of pairs) await this.#root.put('/api/option/', { key, value })
  }

  async createUser(username: string): Promise<Account> {
    await this.#root.post('/api/user/', { username, password, display_name: username })
    const client = await new ApiClient(this.url).signIn(username, password)
    await this.#root.put('/api/user/', { id: client.userId, quota: ampleQuota })
    return { client, id: client.userId }
  }

  async quotaOf(account: Account): Promise<number> {
    return (await account.client.get<{ quota: number }>('/api/user/self')).quota
  }

  createToken(account: Account, name: string, group: string): Promise<TokenRecord> {
    const body = { name, group, unlimited_quota: true, expired_time: -1 }
    return account.client.post<TokenRecord>('/api/token/', body)
  }

  token(account: Account, id: number): Promise<TokenRecord> {
    return account.client.get<TokenRecord>(`/api/token/${id}`)
  }

  async createChannel(channel: JsonObject): Promise<number> {
    const ids = await this.#root.post<number[]>('/api/channel/', channel)
    const id = ids[0]
    if (id === undefined) throw new Error('POST /api/channel/ named no new id')
    return id
  }

  async channelStatus(id: number): Promise<number> {
    return (await this.#root.get<ChannelRecord>(`/api/channel/${id}`)).status
  }

  /** The rows of one token, oldest first. */
  async rowsOf(tokenName: string): Promise<LoggedRow[]> {
    const query = new URLSearchParams({ token_name: tokenName, page_size: String(pageSize) })
    const page = await this.#root.get<{ items: LoggedRow[] }>(`/api/log/?${query.toString()}`)
    return page.items.toSorted((a, b) => a.id - b.id)
  }

  async ending(): Promise<Ending> {
    const rows = await allPages(async (page) => {
      const path = `/api/log/?type=2&p=${page + 1}&page_size=${pageSize}`
      return (await this.#root.get<{ items: LoggedRow[] }>(path)).items
    })
    const disabled = await allPages((page) => {
      const path = `/api/channel/?status=${automaticallyDisabled}&p=${page}&page_size=${pageSize}`
      return this.#root.get<{ id: number }[]>(path)
    })
    return {
      consumption: Map.groupBy(rows, ({ token_name: name }) => String(name)),
      disabled: new Set(disabled.map(({ id }) => id)),
    }
  }
}

async function allPages<T>(read: (page: number) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (let page = 0; ; page += 1) {
    const rows = await read(page)
    all.push(...rows)
    if (rows.length < pageSize) return all
  }
}
