// Providers are reached through TLS.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  setPrice,
  startApp,
} from '#test'
import type { AppOptions } from '../../harness/app.ts'
import { ownCertificate } from '../../harness/own-certificate.ts'
import { chat } from '../../harness/relay-call.ts'

const model = 'through-tls'
let upstream: Awaited<ReturnType<typeof fakeUpstream>>

beforeAll(async () => {
  upstream = await fakeUpstream({ tls: ownCertificate })
})
afterAll(() => upstream.close())

/** A gateway with the upstream as its one channel, for the tests of one `describe`. */
function shopWith(options: AppOptions) {
  const opened: { app?: App; channel?: number; customer?: Customer } = {}
  beforeAll(async () => {
    const app = await startApp(options)
    opened.app = app
    await setPrice(app.root, model, 1)
    opened.channel = await addChannel(app.root, { base_url: upstream.url, models: model })
    opened.customer = await addCustomer(app.root, 'ada', 1_000_000)
  })
  afterAll(() => opened.app?.close())
  return {
    call: () => chat({ url: opened.app?.url ?? '', key: opened.customer?.key ?? '', model }),
    test: () => opened.app?.root.call('GET', `/api/channel/test/${opened.channel}`),
  }
}

describe('a gateway that trusts the certificate', () => {
  const shop = shopWith({ env: { NODE_EXTRA_CA_CERTS: ownCertificate.file } })

  it('opens as many connections as there are calls at one time', async () => {
    const caller = async () => {
      for (let call = 0; call < 25; call += 1) {
        expect(await shop.call()).toMatchObject({ status: 200, isComplete: true })
      }
    }
    await Promise.all(Array.from({ length: 8 }, caller))
    expect(upstream.connectionCount).toBeLessThanOrEqual(8)
  })
})

describe('a gateway that does not', () => {
  const shop = shopWith({ isWithin: true })

  it('sends no call, and tells the admin what is wrong with the upstream', async () => {
    const before = upstream.callCount
    expect(await shop.call()).toMatchObject({ status: 502 })
    expect(await shop.test()).toMatchObject({
      success: false,
      message:
        'The upstream could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT: its certificate is not signed by an authority that this machine trusts; NODE_EXTRA_CA_CERTS names a file with further ones).',
    })
    expect(upstream.callCount).toBe(before)
  })
})
