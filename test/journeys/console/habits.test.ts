// What people expect without thinking of it: nothing typed is lost, nothing moves under the pointer, many things are not gone by one press.
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

const chromium = chromiumPath()

describe.runIf(chromium)('the console', () => {
  let app: App
  let browser: Browser | undefined
  let page: Page

  beforeAll(async () => {
    buildConsole()
    app = await startApp()
    browser = await openBrowser(chromium ?? '')
    page = (await openPage(browser, app.url)).page
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app.close()
  })

  it('keeps the button of the registration in its place when a field turns out wrong', async () => {
    await page.goto('/register')
    const button = page.getByRole('main').getByRole('button', { name: 'Create account' })
    const before = await button.boundingBox()
    await page.getByLabel('Username').fill('with@sign')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByLabel('Password', { exact: true }).blur()
    await page
      .getByText(/at least 8/)
      .last()
      .waitFor()
    expect((await button.boundingBox())?.y).toBe(before?.y)
  })

  it('asks for the password over an unsaved form when the session has ended, and goes on', async () => {
    await signInPage(page, rootAccount)
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const drawer = page.getByRole('dialog').filter({ hasText: 'Quota' })
    await drawer.getByLabel('Name', { exact: true }).fill('kept')
    await page.context().clearCookies()
    await drawer.getByRole('button', { name: 'Create token' }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('Password of root').fill('not the password')
    await again.getByRole('button', { name: 'Log in' }).click()
    await again.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
    await again.getByLabel('Password of root').fill(rootAccount.password)
    await again.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('dialog', { name: 'Token created' }).waitFor()
    const tokens = await app.root.get<{ name: string }[]>('/api/token/?p=0&size=10')
    expect(tokens.map(({ name }) => name)).toEqual(['kept'])
  })

  it('leads to the sign-in page where nothing would be lost', async () => {
    await page.goto('/token')
    await page.getByRole('row', { name: /kept/ }).waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Usage log' }).first().click()
    await page.waitForURL('**/login?expired=true')
  })

  it('says which and asks how many before it deletes more than one', async () => {
    await app.root.post('/api/token/', { name: 'second', unlimited_quota: true, expired_time: -1 })
    await signInPage(page, rootAccount)
    await page.locator('label', { has: page.getByLabel('Select all rows') }).click()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete 2 tokens?' })
    expect(await question.getByRole('listitem').allInnerTexts()).toEqual(['second', 'kept'])
    const confirm = question.getByRole('button', { name: 'Delete' })
    expect(await confirm.isDisabled()).toBe(true)
    await question.getByRole('textbox').fill('2')
    await confirm.click()
    await page.getByText('No tokens yet').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Create token' }).nth(1).waitFor()
  })
})
