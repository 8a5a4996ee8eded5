// Kills the gateway under load again and again, then compares what clients saw with what was written down.
import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  fakeUpstream,
  setPrice,
  startApp,
} from '#test'
import { ApiClient } from '../../harness/api-client.ts'
import type { GatewayDatabase } from '../../harness/gateway-databases.ts'
import { chat, type SeenAnswer } from '../../harness/relay-call.ts'
import { customerPassword } from '../../harness/shop.ts'
import { startSteadyLoad } from '../../harness/steady-load.ts'
import { type MoneyIn, startMoneyIn, stripeApi } from './money-in.ts'

export interface KillLoopResult {
  complete: SeenAnswer[]
  /** Calls that broke or were refused while no gateway listened. */
  brokenCount: number
  rows: { request_id: string; quota: number }[]
  balance: number
  startBalance: number
  /** What codes and orders brought meanwhile. */
  moneyIn: MoneyIn
  /** What the customer could still spend at once after the last restart. */
  isWholeBalanceSpendable: boolean
  /** Of `tollgate ledger verify`. */
  verification: { code: number; output: string }
}

const startBalance = 1_000_000
const model = 'kill-model'
const workers = 16

export async function runKillLoop(
  database: GatewayDatabase,
  kills: number,
): Promise<KillLoopResult> {
  const upstream = await fakeUpstream({ delayMs: 3 })
  const checkout = await stripeApi()
  const app = await startApp({ env: { ...database.env, STRIPE_API_URL: checkout.url } })
  try {
    await setPrice(app.root, model, 1)
    await addChannel(app.root, { base_url: upstream.url, models: model })
    const { key, username } = await addCustomer(app.root, 'killed', startBalance)
    const moneyIn = await startMoneyIn(app, username)
    const load = startSteadyLoad(() => ({ url: app.url, key, model }), workers)
    for (let kill = 0; kill < kills; kill++) {
      await wait(randomInt(150, 600))
      await app.restart('kill')
    }
    await wait(300)
    const answers = await load.stop()
    const credited = await moneyIn.stop()
    const client = await new ApiClient(app.url).signIn(username, customerPassword)
    const balance = await balanceOf({ client } as Parameters<typeof balanceOf>[0])
    const rows = await consumptionRows(app.root, username)
    return {
      complete: answers.filter(({ isComplete, status }) => isComplete && status === 200),
      brokenCount: answers.filter(({ isComplete }) => !isComplete).length,
      rows,
      balance,
      startBalance,
      moneyIn: credited,
      isWholeBalanceSpendable: await spendsAll(app, key, balance),
      verification: await app.command('ledger', 'verify'),
    }
  } finally {
    await app.close()
    await upstream.close()
    checkout.close()
  }
}

/** A call at a fixed price of the whole balance goes through only if no reservation still holds a part of it. */
async function spendsAll(app: App, key: string, balance: number): Promise<boolean> {
  const value = JSON.stringify({ [model]: balance / 500_000 })
  await app.root.put('/api/option/', { key: 'ModelPrice', value })
  return (await chat({ url: app.url, key, model })).status === 200
}
