// Mails that the gateway sends by itself, through a real mail server: who gets them, in which language, what they say, and how many.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  type FakeUpstream,
  fakeUpstream,
  setPrice,
  startApp,
} from '#test'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiClient } from '../../harness/api-client.ts'
import { type MailServer, startMailServer } from '../../harness/counterparts/mail-server.ts'
import { customerPassword } from '../../harness/shop.ts'

describe('alerts by mail', () => {
  let app: App
  let mails: MailServer
  let upstream: FakeUpstream
  let broken: Server
  let customer: Customer

  beforeAll(async () => {
    mails = await startMailServer()
    upstream = await fakeUpstream()
    broken = createServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      const error = { message: 'Incorrect API key', code: 'invalid_api_key' }
      response.end(JSON.stringify({ error }))
    })
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
    app = await startApp({ isWithin: true })
    const options = {
      ...mails.options,
      ServerAddress: 'https://gate.test',
      AutomaticDisableChannelEnabled: 'true',
      QuotaRemindThreshold: '900000',
    }
    for (const [key, value] of Object.entries(options))
      await app.root.put('/api/option/', { key, value })
    await reads(app.root, 'zh', 'root@example.com')
    await admin('grace', 'en')
    customer = await addCustomer(app.root, 'ada', 800_000)
    await reads(customer.client, 'zh', 'ada@example.com')
    await setPrice(app.root, 'm', 1)
    await setPrice(app.root, 'dead', 1)
  })

  afterAll(async () => {
    await app.close()
    await mails.close()
    await upstream.close()
    broken.close()
  })

  const reads = async (client: ApiClient, language: 'en' | 'zh', notification_email: string) => {
    await client.put('/api/user/self', { language })
    await client.put('/api/user/setting', { notify_type: 'email', notification_email })
  }
  const admin = async (username: string, language: 'en' | 'zh') => {
    await app.root.post('/api/user/', { username, password: customerPassword })
    const client = await new ApiClient(app.url).signIn(username, customerPassword)
    await app.root.post('/api/user/manage', { id: client.userId, action: 'promote' })
    await reads(client, language, `${username}@example.com`)
  }
  const chat = (model: string) =>
    fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    })

  it('tell every admin in his language which channel was disabled, why, and where to look', async () => {
    const { port } = broken.address() as AddressInfo
    const base_url = `http://127.0.0.1:${port}`
    const id = await addChannel(app.root, { base_url, models: 'dead', name: '<b>Main</b>' })
    expect((await chat('dead')).status).toBeGreaterThanOrEqual(400)
    const [root, grace] = await Promise.all([
      mails.next('root@example.com'),
      mails.next('grace@example.com'),
    ])
    expect(root.subject).toBe(`渠道 <b>Main</b>（#${id}）已被禁用`)
    expect(grace.subject).toBe(`Channel <b>Main</b> (#${id}) was disabled`)
    expect(grace.html).toContain(`Channel &lt;b&gt;Main&lt;/b&gt; (#${id}) was disabled. Reason: `)
    for (const { html } of [root, grace]) {
      expect(html).toContain('Incorrect API key')
      expect(html).toContain(`<a href="https://gate.test/channel?keyword=${id}">`)
    }
    expect(mails.letters.some(({ to }) => to.includes('ada@example.com'))).toBe(false)
  })

  it('tell a user of a low balance in his language', async () => {
    await addChannel(app.root, { base_url: upstream.url, models: 'm', name: 'works' })
    expect((await chat('m')).status).toBe(200)
    const { subject, html } = await mails.next('ada@example.com')
    expect(subject).toBe('您的额度即将用尽')
    expect(html).toMatch(/您的额度即将用尽，当前剩余额度为 \$1\.\d+/)
    expect(html).toContain('<a href="https://gate.test/topup">')
  })

  it('are proved by a test mail, whose answer an admin reads', async () => {
    const body = { id: 'mail-test', input: 'boss@example.com' }
    const { data } = await app.root.call<{ message: string }>('POST', '/api/option/action', body)
    expect(data.message).toContain('The server answered: 250 ')
    expect((await mails.next('boss@example.com')).subject).toContain('test mail')
  })
})
