// A gateway that sells calls at a fixed price, so that money can be counted in calls. For the tests of one
// `describe`.
import { afterAll, beforeAll } from 'vitest'
import type { ApiClient } from './api-client.ts'
import { type App, type AppOptions, startApp } from './app.ts'
import { expectSoundBooks } from './books.ts'
import { chat, type SeenAnswer } from './relay-call.ts'
import { addChannel, type Customer } from './shop.ts'
import { startSteadyLoad } from './steady-load.ts'
import { fakeUpstream, type FakeUpstream, type FakeUpstreamOptions } from './upstream.ts'

/** The model that is sold, and the units that a call costs. */
export const perCall = { model: 'per-call', units: 1_000 } as const

const UNITS_OF_A_DOLLAR = 500_000

/** Sets the price per call of these models; other models lose theirs. */
export async function sellByCall(root: ApiClient, models: readonly string[]): Promise<void> {
  const prices = models.map((model) => [model, perCall.units / UNITS_OF_A_DOLLAR])
  const value = JSON.stringify(Object.fromEntries(prices))
  await root.put('/api/option/', { key: 'ModelPrice', value })
}

export interface CallShopSetup {
  /** Environment of the gateway. A function may open what the variables refer to, and `finish` closes it. */
  env?: AppOptions['env'] | (() => Promise<Record<string, string>>)
  upstream?: FakeUpstreamOptions
  /** As in AppOptions. */
  isWithin?: boolean
  finish?: () => Promise<unknown>
}

export interface CallShop {
  readonly app: App
  readonly upstream: FakeUpstream
  call(customer: Customer): Promise<SeenAnswer>
  /** Runs this many callers without pause; see steady-load.ts. */
  load(customer: Customer, callers: number): ReturnType<typeof startSteadyLoad>
}

/** Opens before the tests of the `describe` that calls it, and closes after them; then its books must be sound. */
export function callShop({
  env = {},
  upstream,
  isWithin = false,
  finish,
}: CallShopSetup = {}): CallShop {
  const opened: { app?: App; upstream?: FakeUpstream } = {}
  const target = ({ key }: Customer) => ({ url: shop.app.url, key, model: perCall.model })
  const shop: CallShop = {
    get app() {
      return known(opened.app)
    },
    get upstream() {
      return known(opened.upstream)
    },
    call: (customer) => chat(target(customer)),
    load: (customer, callers) => startSteadyLoad(() => target(customer), callers),
  }
  beforeAll(async () => {
    const variables = typeof env === 'function' ? await env() : env
    opened.upstream = await fakeUpstream(upstream)
    opened.app = await startApp({ env: variables, isWithin })
    await sellByCall(shop.app.root, [perCall.model])
    await addChannel(shop.app.root, { base_url: shop.upstream.url, models: perCall.model })
  })
  afterAll(async () => {
    try {
      await opened.app?.process.stop()
      if (opened.app) await expectSoundBooks(opened.app)
    } finally {
      await opened.app?.close()
      await opened.upstream?.close()
      await finish?.()
    }
  })
  return shop
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the shop is not open yet')
  return value
}
