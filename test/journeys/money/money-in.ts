// Redeems codes, pays orders and has some of the money back while the gateway is killed; whoever got no answer asks again, as people and
// payment gateways do.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '#test'
import { ApiClient } from '../../harness/api-client.ts'
import { customerPassword } from '../../harness/shop.ts'
import { Stripe } from 'stripe'

export interface MoneyIn {
  /** Codes and orders whose credit was confirmed to the one who asked. */
  confirmed: number
  /** Orders that were refunded by half and disputed to the end. */
  reversed: number
  /** Of those, what the lists do not show as used or paid. */
  lost: string[]
  /** Units of all used codes and paid orders, without what was taken back of them. */
  units: number
}

const merchant = {
  ServerAddress: 'https://gw.test',
  PayAddress: 'https://pay.example.com',
  EpayId: '1001',
  EpayKey: 'kill-key',
}
const sdk = new Stripe('sk_test_kill')
const stripe = { StripeApiSecret: 'sk_test_kill', StripeWebhookSecret: 'whsec_kill' }
const codeUnits = 700
const pauseMs = 20

export async function startMoneyIn(
  app: App,
  username: string,
): Promise<{ stop(): Promise<MoneyIn> }> {
  for (const [key, value] of Object.entries({ ...merchant, ...stripe }))
    await app.root.put('/api/option/', { key, value })
  const body = { name: 'kill', quota: codeUnits, count: 100 }
  const codes = await app.root.post<string[]>('/api/redemption/', body)
  const confirmed: string[] = []
  const reversed: string[] = []
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
    if ((await notifyOfEpay(app.url, open)) === 'success') {
      confirmed.push(trade)
      open = undefined
    }
    return true
  })
  let story: Story | undefined
  const reversing = until(async (client) => {
    story ??= await begin(client)
    if (await notifyNext(app.url, story)) return true
    reversed.push(story.trade)
    story = undefined
    return true
  })
  return {
    stop: async () => {
      isStopped = true
      await Promise.all([redeeming, paying, reversing])
      return compare(app, confirmed, reversed)
    },
  }
}

/** What Stripe's API answers to a new order. */
export async function stripeApi(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'cs_1', url: 'https://checkout.stripe.com/c/pay/cs_1' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Story {
  trade: string
  /** Events that Stripe has not got rid of yet. */
  left: object[]
}

/** False when all was told. */
async function notifyNext(url: string, { left }: Story): Promise<boolean> {
  const [next] = left
  if (next === undefined) return false
  if (await notifyOfStripe(url, next)) left.shift()
  return true
}

/** An order that is paid, refunded by half, disputed for the rest, and kept by half in the end; every event comes twice. */
async function begin(client: ApiClient): Promise<Story> {
  await client.post('/api/user/stripe/pay', { amount: 1, payment_method: 'stripe' })
  const { items } = await client.get<{ items: { trade_no: string; payment_method: string }[] }>(
    '/api/user/topup/self',
  )
  const trade = items.find(({ payment_method }) => payment_method === 'stripe')?.trade_no ?? ''
  const [metadata, payment_intent] = [{ trade_no: trade }, `pi_${trade}`]
  const common = { currency: 'usd', payment_intent }
  const dispute = { ...common, id: `du_${trade}`, amount: 50, metadata: {} }
  const events = [
    event('checkout.session.completed', {
      ...common,
      payment_status: 'paid',
      amount_total: 100,
      metadata,
    }),
    event('charge.refunded', { ...common, amount_refunded: 50, metadata }),
    event('charge.dispute.created', { ...dispute, status: 'needs_response' }),
    event('charge.dispute.closed', { ...dispute, status: 'won' }),
  ]
  return { trade, left: events.flatMap((one) => [one, one]) }
}

function event(type: Stripe.Event['type'], object: object): object {
  return { id: `evt_${type}`, object: 'event', type, data: { object } }
}

async function notifyOfStripe(url: string, event: object): Promise<boolean> {
  const payload = JSON.stringify(event)
  const signature = sdk.webhooks.generateTestHeaderString({
    payload,
    secret: stripe.StripeWebhookSecret,
  })
  const answer = await fetch(`${url}/api/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  })
  return answer.status === 200
}

/** The notice of the order, signed as the gateway would. */
async function notifyOfEpay(url: string, order: Record<string, string>): Promise<string> {
  const { pid = '', out_trade_no = '', money = '' } = order
  const text = `money=${money}&out_trade_no=${out_trade_no}&pid=${pid}&trade_status=TRADE_SUCCESS`
  const sign = createHash('md5').update(`${text}${merchant.EpayKey}`).digest('hex')
  return (await fetch(`${url}/api/user/epay/notify?${text}&sign=${sign}&sign_type=MD5`)).text()
}

interface Order {
  trade_no: string
  quota: number
  refunded_quota: number
  taken_quota: number
}

async function compare(
  app: App,
  confirmed: readonly string[],
  reversed: readonly string[],
): Promise<MoneyIn> {
  const codes = await pages<{ key: string; quota: number }>(app, '/api/redemption/?status=3')
  const listed = (status: string) => pages<Order>(app, `/api/user/topup?status=${status}`)
  const orders = [...(await listed('success')), ...(await listed('refunded'))]
  const known = new Set([...codes.map(({ key }) => key), ...orders.map((order) => order.trade_no)])
  const isHalf = ({ quota, refunded_quota }: Order) => refunded_quota === quota / 2
  const halves = new Set(orders.filter(isHalf).map(({ trade_no }) => trade_no))
  return {
    confirmed: confirmed.length,
    reversed: reversed.length,
    lost: [
      ...confirmed.filter((name) => !known.has(name)),
      ...reversed.filter((name) => !halves.has(name)),
    ],
    units:
      codes.reduce((sum, { quota }) => sum + quota, 0) +
      orders.reduce((sum, { quota, taken_quota }) => sum + quota - taken_quota, 0),
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
