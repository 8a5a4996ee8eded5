// Kills the gateway under load, then compares what clients saw with what was written down.
import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
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
import { expectSoundBooks } from '../../harness/books.ts'
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
}

const startBalance = 1_000_000
const model = 'kill-model'
const workers = 16
/** Calls that reach the upstream before each kill, and after the last: on a machine of any speed there is something to lose. */
const callsBetween = 60

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
    const served = async () => {
      const { callCount } = upstream
      await expect.poll(() => upstream.callCount - callCount).toBeGreaterThan(callsBetween)
    }
    for (let left = kills; left > 0; left -= 1) {
      await served()
      await wait(randomInt(0, 300))
      await (left === 1 ? app.goOnWithin('kill') : app.restart('kill'))
    }
    await served()
    const answers = await load.stop()
    const credited = await moneyIn.stop()
    const client = await new ApiClient(app.url).signIn(username, customerPassword)
    const balance = await balanceOf({ client } as Parameters<typeof balanceOf>[0])
    const rows = await consumptionRows(app.root, username)
    await expectSoundBooks(app)
    return {
      complete: answers.filter(({ isComplete, status }) => isComplete && status === 200),
      brokenCount: answers.filter(({ isComplete }) => !isComplete).length,
      rows,
      balance,
      startBalance,
      moneyIn: credited,
      isWholeBalanceSpendable: await spendsAll(app, key, balance),
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
