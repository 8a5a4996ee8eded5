// What a plugin from outside adds to places of others in the console: the sample plugin goes through each in Chromium.
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, type Customer, rootAccount, startApp } from '#test'
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  signInPage,
} from '../../harness/browser.ts'
import { violations } from '../../harness/screens.ts'
import { customerPassword } from '../../harness/shop.ts'

const chromium = chromiumPath()
const samples = fileURLToPath(new URL('../../samples', import.meta.url))

describe.runIf(chromium)('a plugin from outside in places of others', () => {
  let app: App
  let browser: Browser
  let page: Page
  let customer: Customer

  beforeAll(async () => {
    buildConsole()
    app = await startApp({ env: { PLUGIN_DIRS: samples }, plugins: ['every-point'] })
    customer = await addCustomer(app.root, 'ada', 0)
    await app.root.put('/api/every-point/notes', { user_id: customer.id, note: 'Pays in time' })
    browser = await openBrowser(chromium ?? '')
    ;({ page } = await openPage(browser, app.url))
    await signInPage(page, rootAccount)
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })

  it('draws its column beside those of the table, and a column that throws costs itself', async () => {
    await page.goto('/user')
    await rowOf('ada').getByText('Pays in time').waitFor()
    await page.getByRole('columnheader', { name: 'Broken' }).waitFor()
    await rowOf('ada')
      .locator('td')
      .getByTitle(/every-point/)
      .waitFor()
    expect(await violations(page)).toEqual([])
  })

  it('acts on a row, from the menu of its actions', async () => {
    await rowOf('ada').getByRole('button', { name: 'More actions: ada' }).click()
    const menu = page.getByRole('menu')
    expect(await menu.getByText('Never').count()).toBe(0)
    await menu.getByText('Show note').click()
    const panel = page.getByRole('dialog', { name: 'Note of ada' })
    await panel.getByText('Pays in time').waitFor()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
  })

  it('keeps its own data in a section of the drawer, which asks before it is lost', async () => {
    await page.goto(`/user/edit/${customer.id}`)
    const drawer = page.getByRole('dialog', { name: /ada/ })
    const note = drawer.getByLabel('Note')
    await expect.poll(() => note.inputValue()).toBe('Pays in time')
    await note.fill('Pays late')
    await drawer.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await drawer.getByRole('button', { name: 'Keep note' }).click()
    await page.getByText('Note kept.').waitFor()
    expect(await violations(page)).toEqual([])
    await drawer.getByRole('button', { name: 'Cancel' }).click()
    await rowOf('ada').getByText('Pays late').waitFor()
    expect(await app.root.get('/api/every-point/notes')).toEqual({ [customer.id]: 'Pays late' })
  })

  it('has a tab of the settings with its option, its button and its part', async () => {
    await page.goto('/setting?tab=every-point')
    await page.getByRole('tab', { name: 'Sample' }).waitFor()
    const card = page.locator('#section-every-point')
    await card.getByRole('heading', { name: 'Words of the sample' }).waitFor()
    await card.getByLabel('Word', { exact: true }).fill('typed')
    await card.getByRole('button', { name: 'Try the word' }).click()
    await card.getByText('It is a word.').waitFor()
    await card.getByText('A part of the sample').waitFor()
  })

  it('is named on the plugins screen with the column that throws', async () => {
    await page.goto('/user')
    await rowOf('ada').getByText('Pays late').waitFor()
    await page.getByRole('link', { name: 'Plugins' }).click()
    await page.getByRole('searchbox').fill('every-point')
    await rowOf('every-point').getByText('In its console part').waitFor()
  })

  it('shows a visitor its card of the home page, and an ordinary user nothing that is for admins', async () => {
    const visitor = (await openPage(browser, app.url)).page
    await visitor.goto('/')
    await visitor.getByRole('heading', { name: 'Card of the sample' }).waitFor()
    expect(await violations(visitor)).toEqual([])
    await signInPage(visitor, { username: customer.username, password: customerPassword })
    await visitor.goto('/token')
    await visitor.getByRole('columnheader', { name: 'Name' }).waitFor()
    expect(await visitor.getByText('For admins').count()).toBe(0)
    expect((await customer.client.call('GET', '/api/every-point/notes')).success).toBe(false)
    await visitor.context().close()
  })

  it('takes what it added along when it is switched off', async () => {
    await app.root.put('/api/plugin/', { id: 'every-point', enabled: false })
    await page.goto('/user')
    await rowOf('ada').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Note' }).count()).toBe(0)
  })
})
