// What an admin looks at while the gateway runs, in Chromium and in both languages: live figures, plugins that come, go and fail, the monitor page.
import { expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
} from '#test'
import { type MadeFolders, makeFolders, serving } from '../../contained/plugin-folders.ts'
import { type ConsoleRoom, type Desk, describeInLanguages } from '../../harness/console-room.ts'

const reason = 'the licence file is missing'
const folders: MadeFolders = await makeFolders([
  serving('licensed', `throw new Error('${reason}')`),
])
let upstream: FakeUpstream
let ada: Customer

const shop = {
  env: { PLUGIN_DIRS: folders.path },
  prepare: openShop,
  async finish() {
    await upstream.close()
    await folders.remove()
  },
}

describeInLanguages('a gateway that runs', shop, (desk) => {
  liveFiguresStory(desk)
  pluginStory(desk)
  monitorStory(desk)
})

async function openShop(app: App): Promise<void> {
  upstream = await fakeUpstream()
  await addChannel(app.root, { name: 'good', base_url: upstream.url, models: 'm' })
  await addChannel(app.root, { name: 'broken', base_url: 'http://127.0.0.1:9', models: 'broken-m' })
  for (const model of ['m', 'broken-m']) await setPrice(app.root, model, 1)
  ada = await addCustomer(app.root, 'ada', 50_000_000)
}

async function call({ app }: ConsoleRoom, model: string): Promise<void> {
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await answer.text()
}

function liveFiguresStory({ room, textsOf, sitAsAdmin }: Desk): void {
  const t = textsOf('live-figures')
  const seat = sitAsAdmin()

  it('shows calls of this minute without a reload, and the channel that failed with its cause', async () => {
    const { page } = seat
    await page.goto('/live')
    const figure = (name: string) =>
      page
        .getByRole('term')
        .filter({ hasText: t(`figure.${name}`) })
        .locator('xpath=..')
    await figure('channels').getByText('2', { exact: true }).waitFor()
    for (const model of ['m', 'm', 'm', 'broken-m']) await call(room, model)
    const count = async () =>
      Number((await figure('calls').getByRole('definition').first().innerText()).replace(',', ''))
    await expect.poll(count, { timeout: 15_000 }).toBeGreaterThanOrEqual(4)
    const row = page.getByRole('row').filter({ hasText: 'broken' })
    await row.getByText('100%').waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: t('node.this') })
      .waitFor()
    expect(seat.faults).toEqual([])
  })

  it('leads from the channel to its row in the list', async () => {
    const { page } = seat
    await page.getByRole('link', { name: 'broken' }).click()
    await page.waitForURL(/\/channel\?keyword=\d+/)
    await page.getByRole('row').filter({ hasText: 'broken' }).waitFor()
  })
}

function pluginStory({ room, textsOf, sitAsAdmin }: Desk): void {
  const t = textsOf('plugins')
  const monitor = sitAsAdmin()
  const title = textsOf('monitor')('title')
  const search = async (words: string) => {
    const field = monitor.page.getByPlaceholder(t('search'))
    await field.fill(words)
    await field.press('Enter')
  }
  const row = (id: string) => monitor.page.getByRole('row').filter({ hasText: id })

  it('switches a plugin off and on: its screen goes and comes', async () => {
    const { page } = monitor
    await page.goto('/plugin')
    const entry = page.getByRole('navigation').getByRole('link', { name: title, exact: true })
    await entry.waitFor()
    await search('monitor')
    const toggle = row('monitor').getByRole('switch')
    await toggle.click()
    const question = page.getByRole('dialog')
    await question.getByText(t('ask.plugin')).waitFor()
    await question.getByRole('button', { name: t('ask.confirm') }).click()
    await row('monitor').getByText(t('state.off'), { exact: true }).waitFor()
    await entry.waitFor({ state: 'detached' })
    await toggle.click()
    await row('monitor').getByText(t('state.on'), { exact: true }).waitFor()
    await entry.waitFor()
  })

  it('cannot switch off what the super admin signs in by', async () => {
    const { page } = monitor
    await search('auth-password')
    expect(await row('auth-password').getByRole('switch').isDisabled()).toBe(true)
    expect(monitor.faults).toEqual([])
    await page.getByPlaceholder(t('search')).fill('')
  })

  it('says of a plugin that fails why, and goes on without it', async () => {
    const { page } = monitor
    await search('licensed')
    await row('licensed').getByRole('switch').click()
    // What it asks for is confirmed first.
    const question = page.getByRole('dialog')
    await question.getByRole('button', { name: t('asks.confirm') }).click()
    await page.getByText(reason).first().waitFor()
    const toggle = row('licensed').getByRole('switch')
    await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('false')
    await call(room, 'm')
  })
}

function monitorStory({ room, textsOf, sitAs }: Desk): void {
  const t = textsOf('monitor')
  const seat = sitAs('ada')
  const setLink = (value: string) =>
    room.app.root.put('/api/option/', { key: 'general_setting.monitor_link', value })

  it('has no page until an admin names one, which everybody then sees in a frame', async () => {
    const { page } = seat
    await page.goto('/accessible')
    await page.getByText(t('none')).waitFor()
    await page.getByText(t('noneHint')).waitFor()
    await setLink('https://status.test/all')
    await page
      .context()
      .route('https://status.test/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<h1>All systems work</h1>' }),
      )
    await page.reload()
    await page
      .frameLocator(`iframe[title="${t('title')}"]`)
      .getByText('All systems work')
      .waitFor()
    expect(seat.faults).toEqual([])
  })

  it('offers a link where the page is not encrypted', async () => {
    const { page } = seat
    await setLink('http://status.test/all')
    await page.reload()
    const link = page.getByRole('link', { name: t('open') })
    expect(await link.getAttribute('href')).toBe('http://status.test/all')
    await setLink('')
  })
}
