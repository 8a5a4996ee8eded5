// An administrator in front of an empty gateway: the overview leads to the first call and sees it arrive.
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addChannel,
  fakeUpstream,
  type FakeUpstream,
  openaiClient,
  rootAccount,
  setPrice,
} from '#test'
import { describeConsole } from '../../harness/console-room.ts'

describeConsole('the overview of a new gateway', {}, (room) => {
  let upstream: FakeUpstream
  let key: string
  const seat = room.sit({ account: rootAccount })
  beforeAll(async () => {
    upstream = await fakeUpstream()
    await seat.page.goto('/overview')
  })
  afterAll(() => upstream.close())

  const step = (name: string) => seat.page.getByRole('listitem').filter({ hasText: name })

  it('leaves the console of the top bar to the dashboard', async () => {
    const link = seat.page.getByRole('banner').getByRole('link', { name: 'Console' })
    expect(await link.getAttribute('href')).toBe('/detail')
  })

  it('begins with the channel', async () => {
    await step('Add a channel (open)').getByRole('link', { name: 'Add channel' }).waitFor()
    await seat.page.getByText('You have no token yet').waitFor()
  })

  it('ticks each step while it is looked at', async () => {
    await addChannel(room.app.root, { base_url: upstream.url, models: 'own-model' })
    await step('Add a channel (done)').waitFor()
    expect(await step('Set prices (open)').count()).toBe(1)
    await setPrice(room.app.root, 'own-model', 1)
    await step('Set prices (done)').waitFor()
    const token = { name: 'first key', unlimited_quota: true, expired_time: -1 }
    key = `sk-${(await room.app.root.post<{ key: string }>('/api/token/', token)).key}`
    await step('Create a token (done)').waitFor()
    await seat.page.getByText('Waiting for the first call').waitFor()
  })

  it('sees the first call arrive', async () => {
    await openaiClient(room.app.url, key).chat.completions.create({
      model: 'own-model',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    await seat.page.getByText('The first call has arrived: own-model with first key').waitFor()
  })

  it('offers the same call to copy, with the key, and no longer the steps', async () => {
    await seat.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await seat.page.goto('/overview')
    await seat.page.getByRole('tab', { name: 'Python' }).click()
    const snippet = seat.page.getByRole('tabpanel')
    expect(await snippet.innerText()).toContain('# first key')
    expect(await snippet.innerText()).not.toContain(key)
    await seat.page.getByRole('button', { name: 'Copy with the key' }).click()
    await seat.page.getByText('Copied, with the key of first key.').waitFor()
    expect(await seat.page.evaluate('navigator.clipboard.readText()')).toContain(key)
    expect(await seat.page.getByText('To the first call').count()).toBe(0)
  })

  it('stays within a window of 320 px whose letters stand apart', async () => {
    const { page } = seat
    await page.setViewportSize({ width: 320, height: 640 })
    const content = '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'
    await page.addStyleTag({ content })
    await page.getByText(/^No active account has less than/).waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
  })
})
