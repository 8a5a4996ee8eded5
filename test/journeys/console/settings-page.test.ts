// The settings page in Chromium: what an admin changes there is what the gateway does.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, rootAccount, startApp } from '#test'
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  signInPage,
} from '../../harness/browser.ts'
import { violations } from '../../harness/screens.ts'

const chromium = chromiumPath()

describe.runIf(chromium)('the settings page', () => {
  let app: App
  let browser: Browser
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    buildConsole()
    app = await startApp()
    await addChannel(app.root, { base_url: 'http://127.0.0.1:9', models: 'never-priced' })
    browser = await openBrowser(chromium ?? '')
    ;({ page, faults } = await openPage(browser, app.url))
    await signInPage(page, rootAccount)
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  const section = (id: string) => page.locator(`#section-${id}`)
  const save = (id: string) =>
    section(id).locator('.option-form').getByRole('button', { name: 'Save' }).click()
  const told = (words: string) => page.getByText(words).last().waitFor()
  const optionOf = async (key: string) => {
    const rows = await app.root.get<{ key: string; value: string }[]>('/api/option/')
    return rows.find((row) => row.key === key)?.value
  }

  it('saves what was changed, and the frame follows', async () => {
    await page.goto('/setting?tab=other')
    await section('branding').getByLabel('System name').fill('Harbour')
    await save('branding')
    await told('Settings saved.')
    await page.getByRole('banner').getByText('Harbour').waitFor()
    expect(await optionOf('SystemName')).toBe('Harbour')
  })

  it('tells in the history of a section who changed what, and goes back', async () => {
    const branding = section('branding')
    await branding.getByRole('button', { name: 'History' }).click()
    const drawer = page.getByRole('dialog', { name: 'History: Branding' })
    const change = drawer.getByRole('listitem').filter({ hasText: 'Tollgate → Harbour' })
    await change.getByText('root, this machine').waitFor()
    await change.getByText('In use').waitFor()
    expect(await violations(page)).toEqual([])
    await change.getByRole('button', { name: 'Undo this change: System name' }).click()
    await page.getByRole('button', { name: 'Roll back', exact: true }).click()
    await told('“System name” was rolled back.')
    await page.getByRole('banner').getByText('Tollgate').waitFor()
    expect(await optionOf('SystemName')).toBe('Tollgate')
    await drawer.getByRole('listitem').filter({ hasText: 'Harbour → Tollgate' }).waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()
  })

  it('keeps what the server refuses, with its reason below the field', async () => {
    await page.goto('/setting')
    const groups = section('groups')
    await groups.getByLabel('Group ratios').fill('{"vip": 2}')
    await save('groups')
    await told('Save failed, retry. The reason stands below each.')
    await groups.getByText('GroupRatio needs the group "default"').waitFor()
    expect(await optionOf('GroupRatio')).toContain('"default"')
    await groups.getByRole('button', { name: 'Undo changes' }).click()
  })

  it('asks before sign-in by password goes off, and leaves it on when that is declined', async () => {
    await page.goto('/setting?tab=system')
    const toggle = section('sign-in').getByRole('switch', { name: 'Allow sign-in by password' })
    await toggle.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Only the super admin can then sign in').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await toggle.getAttribute('aria-checked')).toBe('true')
  })

  it('replaces a secret without ever showing it', async () => {
    const worker = section('worker')
    await worker.getByLabel('Worker address').fill('https://worker.test')
    await worker.getByLabel('Worker key').fill('first key')
    await save('worker')
    await told('Settings saved.')
    await worker.getByText('Set', { exact: true }).waitFor()
    expect(await page.content()).not.toContain('first key')
    // Who entered a secret may set its address for a while; now it is that of a colleague.
    const colleague = await addCustomer(app.root, 'colleague', 0)
    await app.root.post('/api/user/manage', { id: colleague.id, action: 'promote' })
    await colleague.client.put('/api/option/', { key: 'WorkerValidKey', value: 'second key' })
    await worker.getByLabel('Worker address').fill('https://elsewhere.test')
    await save('worker')
    await worker.getByText('enter WorkerValidKey again').last().waitFor()
    await worker.getByRole('button', { name: 'Undo changes' }).click()
  })

  it('asks before changes are lost', async () => {
    await section('address').getByLabel('Server address').fill('https://gate.test')
    await page.getByRole('tab', { name: 'Other' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await section('address').getByRole('button', { name: 'Undo changes' }).click()
  })

  it('prices a model that channels serve and nobody has priced', async () => {
    await page.goto('/setting?prices=unset_models#prices')
    const prices = section('prices')
    await prices.getByText('never-priced', { exact: true }).click()
    await page.getByText('Price per 1M tokens').click()
    await page.getByLabel('Input, per 1M tokens').fill('3')
    await page.getByLabel('Output, per 1M tokens').fill('12')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await told('never-priced is priced.')
    await prices.getByText('Every model has a price').waitFor()
    const ratios = JSON.parse((await optionOf('ModelRatio')) ?? '') as Record<string, number>
    const completions = JSON.parse((await optionOf('CompletionRatio')) ?? '') as typeof ratios
    expect([ratios['never-priced'], completions['never-priced']]).toEqual([1.5, 4])
  })

  it('leads from a plugin to its options', async () => {
    await page.goto('/plugin')
    await page
      .getByRole('button', { name: 'Settings: Links to chat clients of other sites' })
      .click()
    await page.waitForURL(/\/setting\?plugin=chat-links$/)
    await section('chats').getByLabel('Chat clients').waitFor()
    expect(faults).toEqual([])
  })
})
