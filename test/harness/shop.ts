// The start of most journeys: a channel to an upstream, prices of its models, and customers with tokens.
import type { TokenInput, TokenRecord } from '#core'
import { ApiClient } from './api-client.ts'

export interface Customer {
  id: number
  username: string
  client: ApiClient
  /** The relay key with `sk-`. */
  key: string
  token: TokenRecord
}

/** Channel types of the two dialects that the fake upstream speaks. */
export const channelType = { openai: 1, anthropic: 14 } as const

export async function addChannel(
  root: ApiClient,
  channel: { base_url: string; models: string; type?: number; [field: string]: unknown },
): Promise<number> {
  const body = {
    type: channelType.openai,
    name: 'fake',
    key: 'sk-upstream',
    group: 'default',
    ...channel,
  }
  const [id] = await root.post<number[]>('/api/channel/', body)
  if (id === undefined) throw new Error('the channel was not made')
  return id
}

/** Sets the price of a model: `ratio` units for an input token, and the same for an output token. */
export function setPrice(root: ApiClient, model: string, ratio: number): Promise<void> {
  return setPrices(root, [model], ratio)
}

export async function setPrices(
  root: ApiClient,
  models: readonly string[],
  ratio: number,
): Promise<void> {
  const rows = await root.get<{ key: string; value: string }[]>('/api/option/')
  for (const [key, value] of [
    ['ModelRatio', ratio],
    ['CompletionRatio', 1],
  ] as const) {
    const current = rows.find((row) => row.key === key)?.value ?? '{}'
    const added = Object.fromEntries(models.map((model) => [model, value]))
    const map = { ...(JSON.parse(current) as object), ...added }
    await root.put('/api/option/', { key, value: JSON.stringify(map) })
  }
}

/** The password of every customer. */
export const customerPassword = 'a customer of the shop'

export async function addCustomer(
  root: ApiClient,
  username: string,
  quota: number,
  token: TokenInput = {},
): Promise<Customer> {
  await root.post('/api/user/', { username, password: customerPassword, display_name: username })
  const client = await new ApiClient(root.url).signIn(username, customerPassword)
  await root.put('/api/user/', { id: client.userId, quota })
  const made = await client.post<TokenRecord>('/api/token/', {
    name: `${username}'s token`.slice(0, 30),
    unlimited_quota: true,
    expired_time: -1,
    ...token,
  })
  return { id: client.userId, username, client, key: `sk-${made.key}`, token: made }
}

export interface ShownLog extends Record<string, unknown> {
  id: number
  type: number
  quota: number
  request_id: string
  model_name: string
  other: string
}

/** The newest error rows of a user, newest first. They are written beside the answer, not before it: poll. */
export async function errorRows(root: ApiClient, username: string): Promise<ShownLog[]> {
  const query = new URLSearchParams({ username, type: '5' })
  return (await root.get<{ items: ShownLog[] }>(`/api/log/?${query.toString()}`)).items
}

/** All consumption rows of a user, from all pages. */
export async function consumptionRows(root: ApiClient, username: string): Promise<ShownLog[]> {
  const rows: ShownLog[] = []
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ username, type: '2', p: String(page), page_size: '100' })
    const { items } = await root.get<{ items: ShownLog[] }>(`/api/log/?${query.toString()}`)
    rows.push(...items)
    if (items.length < 100) return rows
  }
}

export async function balanceOf(customer: Customer): Promise<number> {
  return (await customer.client.get<{ quota: number }>('/api/user/self')).quota
}
