// A channel that the gateway disabled and that passes a test again: whoever tests it is asked at once whether to enable it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { type App, rootAccount } from '#test'
import { describeConsole } from '../../harness/console-room.ts'
import { addChannel } from '../../harness/shop.ts'

let provider: Server
/** Keys that the provider refuses. */
const refused = new Set<string>()

async function startProvider(): Promise<string> {
  provider = createServer((request, response) => {
    const isRefused = refused.has(request.headers.authorization ?? '')
    request.resume().once('end', () => {
      response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isRefused ? refusal : completion))
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
}

const refusal = { error: { message: 'Incorrect API key', code: 'invalid_api_key' } }
const completion = {
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

let app: App
let id: number

describeConsole(
  'a channel that was disabled automatically',
  {
    prepare: async (made) => {
      app = made
      const base_url = await startProvider()
      await app.root.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
      id = await addChannel(app.root, { base_url, models: 'm,n', name: 'main', key: 'sk-old' })
    },
    finish: async () => {
      provider.closeAllConnections()
      provider.close()
    },
  },
  (room) => {
    const seat = room.sit({ account: rootAccount })
    const channel = () => app.root.get<{ status: number; other_info: string }>(`/api/channel/${id}`)

    beforeEach(async () => {
      refused.add('Bearer sk-old')
      await app.root.put('/api/channel/', { id, key: 'sk-old', status: 1 })
      await app.root.call('GET', '/api/channel/test')
      await expect.poll(async () => (await channel()).status).toBe(3)
      await seat.page.goto('/channel')
    })

    it('is enabled from its row when it passes the test', async () => {
      const { page } = seat
      const row = page.getByRole('row', { name: /main/ })
      await row.getByRole('button', { name: 'Test: main' }).click()
      await page.getByText('main failed: ').waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      refused.clear()
      await row.getByRole('button', { name: 'Test: main' }).click()
      const question = page.getByRole('dialog', { name: 'Enable main?' })
      await question.getByText('Incorrect API key').waitFor()
      await question.getByRole('button', { name: 'Enable' }).click()
      await row.getByText('Enabled', { exact: true }).waitFor()
      expect(await channel()).toMatchObject({ status: 1, other_info: '' })
    })

    it('stays disabled where that is wanted', async () => {
      const { page } = seat
      refused.clear()
      await page.getByRole('button', { name: 'Test: main' }).click()
      const question = page.getByRole('dialog', { name: 'Enable main?' })
      await question.getByRole('button', { name: 'Leave it disabled' }).click()
      await question.waitFor({ state: 'detached' })
      expect((await channel()).status).toBe(3)
    })

    it('is enabled in the dialog of models once one of them has answered', async () => {
      const { page } = seat
      await page.getByRole('button', { name: 'More actions: main' }).click()
      await page.getByRole('menuitem', { name: 'Test models' }).click()
      const panel = page.getByRole('dialog', { name: 'Test main' })
      await panel.getByRole('button', { name: 'Test m', exact: true }).click()
      await panel.getByText('Incorrect API key').waitFor()
      expect(await panel.getByRole('button', { name: 'Enable' }).count()).toBe(0)
      refused.clear()
      await panel.getByRole('button', { name: 'Test n', exact: true }).click()
      await panel.getByRole('button', { name: 'Enable' }).click()
      await panel.getByText('Channel main enabled.').waitFor()
      expect((await channel()).status).toBe(1)
    })

    it('says in its form why it is off, and is enabled when it passes with its new key', async () => {
      const { page } = seat
      await page.goto(`/channel/edit/${id}`)
      const form = page.getByRole('dialog', { name: 'Edit channel main' })
      await form.getByText('Incorrect API key').waitFor()
      await form.getByLabel('Key', { exact: true }).fill('sk-new')
      await form.getByRole('button', { name: 'Save and test' }).click()
      const question = page.getByRole('dialog', { name: 'Enable main?' })
      await enableIn(question, page)
      expect((await channel()).status).toBe(1)
    })
  },
)

async function enableIn(question: ReturnType<Page['getByRole']>, page: Page): Promise<void> {
  await question.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Channel main enabled.').waitFor()
}
