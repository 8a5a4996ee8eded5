// The life of a plugin on the plugins screen, in Chromium: installed from a file, seen and confirmed, upgraded, rolled back, uninstalled.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, rootAccount, startApp } from '#test'
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  signInPage,
} from '../../harness/browser.ts'
import { packedPlugin } from '../plugins/packed-plugin.ts'
import { first, second } from '../plugins/sample-versions.ts'

const chromium = chromiumPath()

describe.runIf(chromium)('the plugins screen', () => {
  let app: App
  let browser: Browser
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    buildConsole()
    app = await startApp()
    browser = await openBrowser(chromium ?? '')
    const opened = await openPage(browser, app.url)
    page = opened.page
    faults = opened.faults
    await signInPage(page, rootAccount)
    await page.goto('/plugin?search=acme')
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await app.close()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const panel = () => page.getByRole('dialog')
  const open = async () => {
    await page.locator('.page-actions').getByRole('button', { name: 'Install' }).click()
    await panel().getByRole('tab', { name: 'File' }).click()
  }
  const handIn = async (source: string) => {
    const file = {
      name: 'acme.tgz',
      mimeType: 'application/gzip',
      buffer: packedPlugin({ 'index.ts': source }),
    }
    await panel().getByLabel('Packed file').setInputFiles(file)
    await panel().getByRole('button', { name: 'Install', exact: true }).click()
  }

  it('installs a file, and says what is wrong with one that is no plugin', async () => {
    await open()
    await handIn('export default 1')
    await panel().getByText('its manifest cannot be read').waitFor()
    await handIn(first)
    await page.getByText('Acme 1.0.0 is installed.').waitFor()
    await panel().waitFor({ state: 'hidden' })
    await open()
    await handIn(second)
    await page.getByText('2 installed').waitFor()
  }, 60_000)

  it('shows what it asks for before it is on', async () => {
    await page.getByRole('switch', { name: 'Enable Acme' }).click()
    await page.getByText('/api/acme').waitFor()
    await page.getByText('acme__').waitFor()
    await button('Confirm and enable').click()
    await page.getByText('Acme is on.').waitFor()
    expect(await app.root.get('/api/acme')).toBe('2.0.0')
  }, 60_000)

  it('goes back to an older version, saying what stays, and forward again', async () => {
    await button('Versions: Acme').click()
    await button('Go back to it').click()
    await page.getByText('acme-0002-word').waitFor()
    await page.getByRole('dialog').last().getByRole('button', { name: 'Go back to it' }).click()
    await page.getByText('Acme is at version 1.0.0.').waitFor()
    expect(await app.root.get('/api/acme')).toBe('1.0.0')
    await button('Use this one').click()
    await page.getByText('Acme is at version 2.0.0.').waitFor()
    await page.keyboard.press('Escape')
  }, 60_000)

  it('uninstalls it with its tables once its name is typed', async () => {
    await app.root.put('/api/plugin/', { id: 'acme', enabled: false })
    await page.reload()
    await button('Uninstall: Acme').click()
    await panel().getByText('Drop them with all their rows').click()
    await panel().getByRole('button', { name: 'Uninstall' }).click()
    const question = page.getByRole('dialog').last()
    await question.getByRole('textbox').fill('acme')
    await question.getByRole('button', { name: 'Uninstall' }).click()
    await page.getByText('Acme is uninstalled.').waitFor()
    await button('Uninstall: Acme').waitFor({ state: 'hidden' })
    expect(faults).toEqual([])
  }, 60_000)
})
