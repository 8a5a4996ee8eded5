// What an admin does with the policies for calls, in Chromium and in both languages: personal data, budgets, the response cache, words, limits and
// repeats. What he sets is what the next call meets, and what it met is what he sees.
import { beforeAll, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, type Customer, setPrice } from '#test'
import { type Desk, describeInLanguages, type Seat } from '../../harness/console-room.ts'
import { type ScriptedUpstream, scriptedUpstream } from '../../harness/scripted-upstream.ts'
import { echo } from '../../harness/upstreams/echo-upstream.ts'

const models = ['m', 'm-en', 'm-zh', 'flaky']
/** Of a call: the upstream tells 40 tokens in and 60 out, and each costs one unit times a thousand. */
const callUnits = 100_000
let upstream: ScriptedUpstream

const shop = {
  plugins: ['pii-masking', 'budgets', 'response-cache'],
  async prepare({ root }: App) {
    upstream = await scriptedUpstream()
    upstream.behave(echo({ isPlain: true }))
    for (const model of models) await setPrice(root, model, 1_000)
    await addChannel(root, { base_url: upstream.url, models: models.join() })
    await addChannel(root, { base_url: 'http://127.0.0.1:9', models: 'flaky', priority: 10 })
  },
  finish: () => upstream.close(),
}

describeInLanguages('policies for calls', shop, (desk) => {
  const username = `ada-${desk.language}`
  let ada: Customer
  beforeAll(async () => {
    ada = await addCustomer(desk.room.app.root, username, 500_000_000)
  })
  const customer = () => ada
  personalDataStory(desk, customer)
  budgetStory(desk, customer)
  cacheStory(desk, customer)
  settingsStory(desk, customer)
})

async function ask({ room }: Desk, { key }: Customer, model: string, content: string, more = {}) {
  const answer = await fetch(`${room.app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }], ...more }),
  })
  return {
    status: answer.status,
    text: await answer.text(),
    cache: answer.headers.get('x-response-cache'),
  }
}

/** A section of the settings, and its own save button. */
function sectionOf(seat: Seat, { own }: Desk, id: string) {
  const section = seat.page.locator(`#section-${id}`)
  const button = section.locator('.option-form').getByRole('button', { name: own('save') })
  return {
    section,
    press: () => button.click(),
    /** It is dead again when the gateway has agreed. */
    async save() {
      await button.click()
      await expect.poll(() => button.isDisabled()).toBe(true)
    },
  }
}

/** Counts are written every ten seconds. */
const counted = { timeout: 20_000, interval: 500 }

function personalDataStory(desk: Desk, customer: () => Customer): void {
  const t = desk.textsOf('pii-masking')
  const seat = desk.sitAsAdmin()
  const mark = `STAFF${desk.language.toUpperCase()}`

  it('tries the rules on a text before anybody relies on them', async () => {
    const { page } = seat
    await page.goto('/pii-masking')
    const run = page.getByRole('button', { name: t('trial.run'), exact: true })
    expect(await run.isDisabled()).toBe(true)
    await page.getByLabel(t('trial.text')).fill('Write to ada@example.com or call 13812345678.')
    await run.click()
    await page.getByText('Write to [EMAIL_1] or call [PHONE_1].').waitFor()
    await page.getByText(`${t('kind.email')} 1 · ${t('kind.phone')} 1`).waitFor()
    await page.getByLabel(t('trial.text')).fill('Nothing to see')
    await run.click()
    await page.getByText(t('trial.none')).waitFor()
  })

  it('refuses a pattern that could slow the gateway down, and takes one that cannot', async () => {
    const { page } = seat
    await page
      .getByRole('main')
      .getByRole('link', { name: t('toSettings') })
      .click()
    const { section, press, save } = sectionOf(seat, desk, 'pii-masking')
    const patterns = section.getByLabel(t('options.PiiMaskingPatterns'))
    await patterns.fill(`${mark}=(?=EMP)\\d+`)
    await press()
    await section.locator('[role=alert], .schema-fault').first().waitFor()
    await patterns.fill(`${mark}=${desk.language}-\\d{6}`)
    await save()
    await page.goto('/pii-masking')
    await page.getByLabel(t('trial.text')).fill(`Who is ${desk.language}-123456?`)
    await page.getByRole('button', { name: t('trial.run'), exact: true }).click()
    await page.getByText(`Who is [${mark}_1]?`).waitFor()
  })

  it('hides it from the upstream, gives it back to the client, and counts it', async () => {
    const { page } = seat
    const row = page.getByRole('row').filter({ hasText: t('kind.email') })
    const today = async () => Number(await row.getByRole('cell').first().innerText())
    const before = await today()
    const answer = await ask(desk, customer(), 'm', 'Greet ada@example.com')
    expect(answer.text).toContain('ada@example.com')
    expect(upstream.calls.at(-1)?.sent).toContain('[EMAIL_1]')
    expect(upstream.calls.at(-1)?.sent).not.toContain('ada@example.com')
    await expect
      .poll(async () => {
        await page.reload()
        await row.waitFor()
        return today()
      }, counted)
      .toBe(before + 1)
    expect(seat.faults).toEqual([])
  })
}

function budgetStory(desk: Desk, customer: () => Customer): void {
  const t = desk.textsOf('budgets')
  const seat = desk.sitAsAdmin()
  const name = `week of ada-${desk.language}`
  const row = () => seat.page.getByRole('row').filter({ hasText: name })
  const onRow = (action: string) => desk.own('actionOn', { action: t(action), name })
  const call = async () => (await ask(desk, customer(), 'm', 'Hello')).status

  it('adds a budget for one user, and asks for an amount first', async () => {
    const { page } = seat
    await page.goto('/budgets')
    await page
      .getByRole('button', { name: t('add') })
      .first()
      .click()
    const drawer = page.getByRole('dialog', { name: t('add') })
    await drawer.getByLabel(t('field.name'), { exact: true }).fill(name)
    await drawer.getByLabel(t('field.limit')).fill('0')
    await drawer.getByRole('button', { name: t('add') }).click()
    await drawer.getByText(t('fault.limit')).waitFor()
    await drawer.getByLabel(t('field.limit')).fill(String((1.5 * callUnits) / 500_000))
    await drawer.getByLabel(t('field.user')).fill(String(customer().id))
    await drawer.getByRole('button', { name: t('add') }).click()
    await page.getByText(t('made', { name })).waitFor()
    await row()
      .getByText(t('scope.user', { id: customer().id }))
      .waitFor()
    await row().getByText(t('status.on'), { exact: true }).waitFor()
  })

  it('refuses calls that go beyond it, and says so in the list', async () => {
    expect([await call(), await call(), await call()]).toEqual([200, 200, 429])
    const words = t(desk.language === 'en' ? 'status.exhaustedBy_one' : 'status.exhaustedBy', {
      count: 1,
    })
    await row().getByText(words).waitFor({ timeout: 20_000 })
  })

  it('lets them through while it is off', async () => {
    const action = (word: string) => row().getByRole('button', { name: onRow(`action.${word}`) })
    await action('disable').click()
    await row().getByText(t('status.off'), { exact: true }).waitFor()
    await expect.poll(call).toBe(200)
    await action('enable').click()
    await action('disable').waitFor()
    await expect.poll(call).toBe(429)
  })

  it('is found by its name, raised and deleted', async () => {
    const { page } = seat
    await page.getByPlaceholder(t('search')).fill(name)
    await page.getByPlaceholder(t('search')).press('Enter')
    await row()
      .getByRole('button', { name: onRow('action.edit') })
      .click()
    const drawer = page.getByRole('dialog', { name: t('edit', { name }) })
    await drawer.getByLabel(t('field.limit')).fill('500')
    await drawer.getByRole('button', { name: desk.own('save') }).click()
    await page.getByText(t('saved', { name })).waitFor()
    expect(await call()).toBe(200)
    await row()
      .getByRole('button', { name: new RegExp(name) })
      .last()
      .click()
    await page.getByRole('menuitem', { name: t('action.delete') }).click()
    const question = page.getByRole('dialog', { name: t('deleteTitle', { name }) })
    await question.getByRole('button', { name: t('action.delete') }).click()
    await page.getByText(t('deleted', { name })).waitFor()
    await row().waitFor({ state: 'detached' })
    expect(seat.faults).toEqual([])
  })
}

function cacheStory(desk: Desk, customer: () => Customer): void {
  const t = desk.textsOf('response-cache')
  const seat = desk.sitAsAdmin()
  const model = `m-${desk.language}`
  const question = (number: number) =>
    ask(desk, customer(), model, `What is ${number} and ${number}?`, { temperature: 0 })

  it('keeps answers for a price of his own, of the models that he names', async () => {
    await seat.page.goto('/response-cache')
    await seat.page
      .getByRole('main')
      .getByRole('link', { name: t('toSettings') })
      .click()
    const { section, save } = sectionOf(seat, desk, 'response-cache')
    await section
      .getByLabel(t('options.ResponseCachePricePercent'))
      .fill(desk.language === 'en' ? '20' : '30')
    await section.getByRole('textbox', { name: t('options.ResponseCacheModels') }).fill(model)
    await seat.page.keyboard.press('Enter')
    // The list of names closes; open, it may lie over the button.
    await seat.page.keyboard.press('Tab')
    await save()
    expect((await question(1)).cache).toBe('miss')
    await expect.poll(async () => (await question(1)).cache).toBe('hit')
  })

  it('sees the hits and what is kept, and empties it', async () => {
    const { page } = seat
    const clear = page.getByRole('button', { name: t('clear.button'), exact: true })
    const today = page.getByRole('row').filter({ hasText: t('spans.today') })
    await expect
      .poll(async () => {
        await page.goto('/response-cache')
        await today.waitFor()
        return Number(await today.getByRole('cell').nth(1).innerText())
      }, counted)
      .toBeGreaterThan(0)
    await clear.click()
    const sure = page.getByRole('dialog', { name: t('clear.title') })
    await sure.getByText(t('clear.text')).waitFor()
    await sure.getByRole('button', { name: t('clear.button') }).click()
    await page.getByText(t('clear.done')).waitFor()
    await expect.poll(() => clear.isDisabled()).toBe(true)
    expect((await question(1)).cache).toBe('miss')
    expect(seat.faults).toEqual([])
  })
}

function settingsStory(desk: Desk, customer: () => Customer): void {
  const seat = desk.sitAsAdmin()
  const isFirst = desk.language === 'en'

  it('refuses prompts that hold a listed word', async () => {
    const t = desk.textsOf('sensitive-words')
    const word = `forbidden-${desk.language}`
    await seat.page.goto('/setting?tab=operation')
    const { section, save } = sectionOf(seat, desk, 'words')
    await section.getByRole('textbox', { name: t('options.SensitiveWords') }).fill(word)
    await save()
    const answer = await ask(desk, customer(), 'm', `Tell me of ${word.toUpperCase()}`)
    expect(answer.status).toBe(400)
    expect((await ask(desk, customer(), 'm', 'Tell me of the sea')).status).toBe(200)
  })

  it('asks another channel when one fails, as often as he says', async () => {
    const t = desk.textsOf('settings')
    const before = await ask(desk, customer(), 'flaky', 'Anybody there?')
    if (isFirst) expect(before.status).toBeGreaterThanOrEqual(500)
    const { section, save } = sectionOf(seat, desk, 'general')
    await section.getByLabel(t('options.RetryTimes')).fill(isFirst ? '1' : '2')
    await save()
    expect((await ask(desk, customer(), 'flaky', 'And now?')).status).toBe(200)
  })

  it('limits the requests of a user, and lets them go on', async () => {
    const t = desk.textsOf('rate-limit')
    await seat.page.goto('/setting?tab=ratelimit')
    const { section, save } = sectionOf(seat, desk, 'models')
    const toggle = section.getByRole('switch', { name: t('options.ModelRequestRateLimitEnabled') })
    await toggle.click()
    const most = section.getByLabel(t('options.ModelRequestRateLimitCount'))
    await most.fill(isFirst ? '2' : '3')
    await save()
    const statuses = []
    for (let number = 0; number < 5; number += 1)
      statuses.push((await ask(desk, customer(), 'm', 'Hello')).status)
    expect(statuses.at(-1)).toBe(429)
    await toggle.click()
    await save()
    expect((await ask(desk, customer(), 'm', 'Hello')).status).toBe(200)
    expect(seat.faults).toEqual([])
  })
}
