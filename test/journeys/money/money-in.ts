// Redeems codes and pays orders while the gateway is killed; whoever got no answer asks again, as people and payment gateways do.
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '#test'
import { ApiClient } from '../../harness/api-client.ts'
import { customerPassword } from '../../harness/shop.ts'

export interface MoneyIn {
  /** Codes and orders whose credit was confirmed to the one who asked. */
  confirmed: number
  /** Of those, what the lists do not show as used or paid. */
  lost: string[]
  /** Units of all used codes and paid orders. */
  units: number
}

const merchant = {
  ServerAddress: 'https://gw.test',
  PayAddress: 'https://pay.example.com',
  EpayId: '1001',
  EpayKey: 'kill-key',
}
const codeUnits = 700
const pauseMs = 20

export async function startMoneyIn(
  app: App,
  username: string,
): Promise<{ stop(): Promise<MoneyIn> }> {
  for (const [key, value] of Object.entries(merchant))
    await app.root.put('/api/option/', { key, value })
  const body = { name: 'kill', quota: codeUnits, count: 100 }
  const codes = await app.root.post<string[]>('/api/redemption/', body)
  const confirmed: string[] = []
  let isStopped = false
  const until = async (work: (client: ApiClient) => Promise<boolean>) => {
    while (!isStopped) {
      try {
        const client = await new ApiClient(app.url).signIn(username, customerPassword)
        while (!isStopped && (await work(client))) await wait(pauseMs)
        return
      } catch {
        // Nobody listens at the moment.
        await wait(pauseMs)
      }
    }
  }
  const redeeming = until(async (client) => {
    const key = codes[0]
    if (key === undefined) return false
    const answer = await client.call('POST', '/api/user/topup', { key })
    if (answer.success) confirmed.push(key)
    if (answer.success || answer.code === 'redemptions.code_used') codes.shift()
    return true
  })
  let open: Record<string, string> | undefined
  const paying = until(async (client) => {
    open ??= await client.post<Record<string, string>>('/api/user/pay', {
      amount: 1,
      payment_method: 'zfb',
    })
    const trade = open['out_trade_no'] ?? ''
    if ((await tell(app.url, open)) === 'success') {
      confirmed.push(trade)
      open = undefined
    }
    return true
  })
  return {
    stop: async () => {
      isStopped = true
      await Promise.all([redeeming, paying])
      return compare(app, confirmed)
    },
  }
}

/** The notice of the order, signed as the gateway would. */
async function tell(url: string, order: Record<string, string>): Promise<string> {
  const { pid = '', out_trade_no = '', money = '' } = order
  const text = `money=${money}&out_trade_no=${out_trade_no}&pid=${pid}&trade_status=TRADE_SUCCESS`
  const sign = createHash('md5').update(`${text}${merchant.EpayKey}`).digest('hex')
  return (await fetch(`${url}/api/user/epay/notify?${text}&sign=${sign}&sign_type=MD5`)).text()
}

async function compare(app: App, confirmed: readonly string[]): Promise<MoneyIn> {
  const codes = await pages<{ key: string; quota: number }>(app, '/api/redemption/?status=3')
  const orders = await pages<{ trade_no: string; quota: number }>(
    app,
    '/api/user/topup?status=success',
  )
  const known = new Set([...codes.map(({ key }) => key), ...orders.map((order) => order.trade_no)])
  return {
    confirmed: confirmed.length,
    lost: confirmed.filter((name) => !known.has(name)),
    units: [...codes, ...orders].reduce((sum, { quota }) => sum + quota, 0),
  }
}

async function pages<T>(app: App, path: string): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page += 1) {
    const { items } = await app.root.get<{ items: T[] }>(`${path}&p=${page}&page_size=100`)
    rows.push(...items)
    if (items.length < 100) return rows
  }
}
