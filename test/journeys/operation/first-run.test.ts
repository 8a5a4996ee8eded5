// A newcomer's first quarter of an hour: an empty data directory, a browser, two official SDKs.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  anthropicClient,
  type App,
  fakeUpstream,
  type FakeUpstream,
  openaiClient,
  rootAccount,
  startApp,
} from '#test'
import { buildConsole, chromiumPath, openBrowser, openPage } from '../../harness/browser.ts'

const chromium = chromiumPath()
const answer = 'Water boils at 100 degrees.'
// Default prices: 0.075 and 1.5 for a token in, 4 and 5 times that for one out.
const models = { openai: 'gpt-4o-mini', anthropic: 'claude-sonnet-5-5' } as const

describe.runIf(chromium)('the first run', () => {
  let app: App
  let upstream: FakeUpstream
  let browser: Browser | undefined
  let page: Page
  let faults: string[]
  let key: string

  beforeAll(async () => {
    buildConsole()
    upstream = await fakeUpstream({
      answer: () => answer,
      promptTokens: 1_000,
      completionTokens: 200,
    })
    app = await startApp({ isSetUp: false, isWithin: true })
    browser = await openBrowser(chromium ?? '')
    const opened = await openPage(browser, app.url)
    page = opened.page
    faults = opened.faults
  })

  afterAll(async () => {
    await browser?.close()
    await app.close()
    await upstream.close()
  })

  it('leads every path to the setup wizard, which makes the first account', async () => {
    await page.goto('/')
    await page.waitForURL('**/setup')
    const { username, password } = rootAccount
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await page.getByRole('button', { name: 'Initialize system' }).click()
    await page.getByText('The system is initialized.', { exact: true }).waitFor()
    await page.waitForURL((url) => url.pathname !== '/setup')
  })

  it('ends signed in, in front of the way to the first call', async () => {
    await page.waitForURL('**/overview')
    await page.getByRole('heading', { name: 'To the first call' }).waitFor()
  })

  it.each([
    { type: 'OpenAI', name: 'First' },
    { type: 'Anthropic Claude', name: 'Second' },
  ])('adds a channel of type $type', async ({ type, name }) => {
    await page.goto('/channel/add')
    const drawer = page.getByRole('dialog')
    await page.getByRole('button', { name: /^Provider:/ }).click()
    await page.getByRole('combobox', { name: 'Name, maker or model family' }).fill(type)
    await page.keyboard.press('Enter')
    await drawer.getByLabel('Name', { exact: true }).fill(name)
    await drawer.getByLabel('Key', { exact: true }).fill('sk-upstream')
    await drawer.getByLabel('Base URL').fill(upstream.url)
    await drawer.getByRole('button', { name: "Fill in this type's models" }).click()
    await drawer.getByRole('button', { name: 'Add channel' }).click()
    await page.getByRole('row', { name: new RegExp(name) }).waitFor()
  })

  it('makes a token and shows its key once more on request', async () => {
    await page.goto('/token')
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Name', { exact: true }).fill('first token')
    await drawer.getByRole('button', { name: 'Create token' }).click()
    const made = page.getByRole('dialog', { name: 'Token created' })
    await made.getByRole('button', { name: 'Show' }).click()
    key = await made.locator('code').innerText()
    expect(key).toMatch(/^sk-[0-9A-Za-z]{48}$/)
  })

  it('streams an answer to the openai package', async () => {
    const stream = openaiClient(app.url, key).chat.completions.stream({
      model: models.openai,
      messages: [{ role: 'user', content: 'When does water boil?' }],
      stream_options: { include_usage: true },
    })
    const completion = await stream.finalChatCompletion()
    expect(completion.choices[0]?.message.content).toBe(answer)
    expect(completion.usage).toMatchObject({ prompt_tokens: 1_000, completion_tokens: 200 })
  })

  it('streams an answer to the @anthropic-ai/sdk package', async () => {
    const message = await anthropicClient(app.url, key)
      .messages.stream({
        model: models.anthropic,
        max_tokens: 500,
        messages: [{ role: 'user', content: 'When does water boil?' }],
      })
      .finalMessage()
    expect(message.content).toMatchObject([{ type: 'text', text: answer }])
    expect(message.usage).toMatchObject({ input_tokens: 1_000, output_tokens: 200 })
  })

  it.each([
    // 0.075 × (1000 + 200 × 4) and 1.5 × (1000 + 200 × 5)
    { model: models.openai, units: '135' },
    { model: models.anthropic, units: '2,000' },
  ])(
    'shows the call to $model in the log with a receipt of $units units',
    async ({ model, units }) => {
      await page.goto('/log')
      const row = page.getByRole('row', { name: new RegExp(model) })
      await row.getByRole('cell').first().click()
      const receipt = page.getByRole('region', { name: 'Receipt' })
      await receipt.getByText('Charged').waitFor()
      expect(await receipt.innerText()).toContain(units)
      expect(await receipt.innerText()).toContain('1,000')
    },
  )

  it('has taken exactly these charges from the balance', async () => {
    const root = await app.root.signIn(rootAccount.username, rootAccount.password)
    const self = await root.get<{ quota: number; used_quota: number }>('/api/user/self')
    expect(self).toMatchObject({ quota: 100_000_000 - 2_135, used_quota: 2_135 })
  })

  it('leaves no complaint of the browser behind', () => {
    expect(faults).toEqual([])
  })
})
