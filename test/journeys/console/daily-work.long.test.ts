// What an admin sets up and a customer then does every day, in Chromium and in both languages: channel, settings, token, prices, chat, log, figures.
import { beforeAll, expect, it } from 'vitest'
import { addCustomer, fakeUpstream, type FakeUpstream } from '#test'
import { type Desk, describeInLanguages } from '../../harness/console-room.ts'

const model = 'gpt-4o-mini'
const answer = 'Water boils at 100 degrees.'
let upstream: FakeUpstream

const openUpstream = async () => {
  upstream = await fakeUpstream({
    answer: () => answer,
    promptTokens: 1_000,
    completionTokens: 200,
  })
}

const shop = { prepare: openUpstream, finish: () => upstream.close() }

describeInLanguages('a day in the console', shop, (desk) => {
  setUp(desk)
  spend(desk)
})

function setUp({ room, language, own, textsOf, sitAsAdmin }: Desk): void {
  const seat = sitAsAdmin()

  it('adds a channel with a provider from the picker', async () => {
    const t = textsOf('channels')
    const { page } = seat
    const name = `first-${language}`
    await page.goto('/channel/add')
    const drawer = page.getByRole('dialog', { name: t('add') })
    await drawer.locator('.provider-button').click()
    await page.getByRole('combobox', { name: t('provider.search') }).fill('OpenAI')
    await page.keyboard.press('Enter')
    await drawer.getByLabel(t('field.name'), { exact: true }).fill(name)
    await drawer.getByLabel(t('field.key'), { exact: true }).fill('sk-upstream')
    await drawer.getByLabel(t('field.baseUrl')).fill(upstream.url)
    await drawer.getByRole('button', { name: t('models.fillRelated') }).click()
    await drawer.getByRole('button', { name: t('add') }).click()
    await page.getByRole('row', { name: new RegExp(name) }).waitFor()
  })

  it('names the site in the settings', async () => {
    const t = textsOf('settings')
    const { page } = seat
    const site = `Gate ${language}`
    await page.goto('/setting?tab=other')
    const field = page.getByLabel(t('options.SystemName'))
    await field.fill(site)
    const section = page.locator('section').filter({ has: field })
    await section
      .getByRole('button', { name: own('save') })
      .first()
      .click()
    await expect
      .poll(
        async () => (await room.app.root.get<{ system_name: string }>('/api/status')).system_name,
      )
      .toBe(site)
  })

  it('has run into nothing on the way', () => expect(seat.faults).toEqual([]))
}

function spend({ room, language, own, textsOf, sitAs }: Desk): void {
  const username = `ada-${language}`
  // Before the seat is taken, which signs in.
  beforeAll(() => addCustomer(room.app.root, username, 5_000_000, { name: 'spare' }))
  const seat = sitAs(username)

  it('sees the balance', async () => {
    const t = textsOf('overview')
    await seat.page.goto('/overview')
    await seat.page.getByText(t('own.balance')).first().waitFor()
    await seat.page.getByText('$10', { exact: true }).first().waitFor()
  })

  it('makes a token, whose key is shown on request', async () => {
    const t = textsOf('tokens')
    const { page } = seat
    await page.goto('/token')
    await page
      .getByRole('button', { name: t('add') })
      .first()
      .click()
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel(t('field.name'), { exact: true }).fill('mine')
    await drawer.getByRole('button', { name: t('create') }).click()
    const made = page.getByRole('dialog', {
      name: t(language === 'en' ? 'made.title_one' : 'made.title_other', { count: 1 }),
    })
    await made.getByRole('button', { name: own('secret.show') }).click()
    expect(await made.locator('code').innerText()).toMatch(/^sk-[0-9A-Za-z]{48}$/)
  })

  it('finds the price of a model', async () => {
    const t = textsOf('pricing')
    await seat.page.goto('/pricing')
    await seat.page.getByPlaceholder(t('filter.model')).fill('4omini')
    await seat.page.getByText(t('price.input', { price: '$0.15' })).waitFor()
  })

  it('chats, and reads in the log what it cost', async () => {
    const t = textsOf('playground')
    const { page } = seat
    await page.goto('/playground')
    await page.getByLabel(t('composer.label')).fill('When does water boil?')
    await page.getByLabel(t('composer.label')).press('Enter')
    await page.getByText(answer).waitFor()
    const logs = textsOf('logs')
    await page.goto('/log')
    await page
      .getByRole('row', { name: new RegExp(model) })
      .getByRole('cell')
      .first()
      .click()
    const receipt = page.getByRole('region', { name: logs('receipt.title') })
    await receipt.getByText(logs('receipt.charge')).waitFor()
    // 0.075 × (1000 + 200 × 4)
    expect(await receipt.innerText()).toContain('135')
  })

  it('finds the dashboard empty until calls have been counted', async () => {
    const t = textsOf('dashboard')
    await seat.page.goto('/detail')
    await seat.page.getByRole('heading', { name: t('title') }).waitFor()
    await seat.page.getByText(t('empty')).first().waitFor()
  })

  it('has run into nothing on the way', () => expect(seat.faults).toEqual([]))
}
