// What an admin does with people and codes, and what a customer does with a code, in Chromium and in both languages.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { addCustomer } from '#test'
import { type Desk, describeInLanguages, type Language } from '../../harness/console-room.ts'
import { signInPage } from '../../harness/browser.ts'
import { customerPassword } from '../../harness/shop.ts'

const oneDollar = 500_000

describeInLanguages('people and codes', {}, (desk) => {
  userStory(desk)
  codeStory(desk)
})

function userStory({ room, language, own, textsOf, sitAsAdmin }: Desk): void {
  const t = textsOf('users')
  const name = `ada-${language}`
  const seat = sitAsAdmin()
  const row = () => seat.page.getByRole('row').filter({ hasText: name })
  const userNow = async () => {
    const { items } = await room.app.root.get<{ items: Found[] }>(
      `/api/user/search?keyword=${name}&p=1&page_size=10`,
    )
    return items[0]
  }
  const search = async () => {
    await seat.page.goto('/user')
    await seat.page.getByPlaceholder(t('filter.keyword')).fill(name)
    await seat.page.getByPlaceholder(t('filter.keyword')).press('Enter')
    await row().waitFor()
    await expect.poll(() => seat.page.getByRole('row').count()).toBe(2)
  }
  const fromMenu = async (action: string) => {
    await row()
      .getByRole('button', { name: own('more', { name }) })
      .click()
    await seat.page.getByRole('menuitem', { name: t(`action.${action}`) }).click()
    return seat.page.getByRole('dialog')
  }

  it('adds a user, who can sign in', async () => {
    const { page } = seat
    await page.goto('/user')
    await page
      .getByRole('button', { name: t('add') })
      .first()
      .click()
    const drawer = page.getByRole('dialog', { name: t('add') })
    await drawer.getByRole('button', { name: t('add') }).click()
    expect(await drawer.getByLabel(t('field.username')).getAttribute('aria-invalid')).toBe('true')
    await drawer.getByLabel(t('field.username')).fill(name)
    await drawer.getByLabel(t('field.password'), { exact: true }).fill(customerPassword)
    await drawer.getByRole('button', { name: t('add') }).click()
    await page.getByText(t('added')).waitFor()
    const other = await room.open({ language })
    await other.page.context().request.post('/api/user/login', {
      data: { username: name, password: customerPassword },
    })
    expect((await userNow())?.username).toBe(name)
    await other.page.context().close()
  })

  it('finds one of them, and changes name, group and balance by a difference', async () => {
    await search()
    const { page } = seat
    await row()
      .getByRole('button', { name: t('action.edit') })
      .click()
    const drawer = page.getByRole('dialog', { name: t('edit', { name }) })
    await drawer.getByLabel(t('field.displayName')).fill('Ada Lovelace')
    await drawer
      .getByRole('button', { name: t('adjust.add', { amount: '$10' }), exact: true })
      .click()
    await drawer.getByText(t('balance.result', { before: '$0', after: '$10' })).waitFor()
    // What she spends meanwhile is not given back.
    const { id = 0 } = (await userNow()) ?? {}
    await room.app.root.post('/api/user/manage', { id, action: 'change_quota', value: oneDollar })
    await drawer.getByRole('button', { name: own('save') }).click()
    await page.getByText(t('saved')).waitFor()
    expect(await userNow()).toMatchObject({
      display_name: 'Ada Lovelace',
      quota: 11 * oneDollar,
    })
    await row().getByText('$11').waitFor()
  })

  it('takes no more than the balance holds', async () => {
    await search()
    const { page } = seat
    await row()
      .getByRole('button', { name: t('action.edit') })
      .click()
    const drawer = page.getByRole('dialog', { name: t('edit', { name }) })
    await drawer.getByRole('spinbutton', { name: t('balance.by') }).fill('-12')
    await drawer.getByRole('button', { name: own('save') }).click()
    await drawer.getByText(t('fault.change')).waitFor()
    await drawer.getByRole('spinbutton', { name: t('balance.by') }).fill('-1')
    await drawer.getByRole('button', { name: own('save') }).click()
    await page.getByText(t('saved')).last().waitFor()
    await row().getByText('$10').waitFor()
  })

  it('disables and enables', async () => {
    await search()
    const { page } = seat
    await row()
      .getByRole('button', { name: t('action.disable') })
      .click()
    const question = page.getByRole('dialog', { name: t('ask.disable', { name }) })
    await question.getByText(t('ask.disableText')).waitFor()
    await question.getByRole('button', { name: t('action.disable') }).click()
    await row().getByText(t('status.banned')).waitFor()
    await row()
      .getByRole('button', { name: t('action.enable') })
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('action.enable') })
      .click()
    await row().getByText(t('status.active')).waitFor()
  })

  it('deregisters when the name has been typed, and offers nothing more', async () => {
    await search()
    const question = await fromMenu('delete')
    await question.getByText('$10').waitFor()
    const confirm = question.getByRole('button', { name: t('action.delete') })
    expect(await confirm.isDisabled()).toBe(true)
    await question.getByLabel(own('confirm.type', { name })).fill(name)
    await confirm.click()
    await row().getByText(t('status.gone')).waitFor()
    expect(
      await row()
        .getByRole('button', { name: t('action.edit') })
        .count(),
    ).toBe(0)
    expect(seat.faults).toEqual([])
  })
}

interface Found {
  id: number
  username: string
  display_name: string
  quota: number
}

function codeStory({ room, language, own, textsOf, sitAsAdmin }: Desk): void {
  const t = textsOf('redemptions')
  const wallet = textsOf('wallet')
  const batch = `gift-${language}`
  const seat = sitAsAdmin()
  const rows = () => seat.page.getByRole('row').filter({ hasText: batch })
  let codes: string[] = []
  const search = async () => {
    await seat.page.goto('/redemption')
    await seat.page.getByPlaceholder(t('search')).fill(batch)
    await seat.page.getByPlaceholder(t('search')).press('Enter')
    await rows().first().waitFor()
  }

  it('makes a batch of codes, to copy or to keep as a file', async () => {
    const { page } = seat
    await page.goto('/redemption')
    await page
      .getByRole('button', { name: t('add') })
      .first()
      .click()
    const drawer = page.getByRole('dialog', { name: t('create') })
    await drawer.getByLabel(t('field.name')).fill(batch)
    await drawer.getByRole('button', { name: '$5', exact: true }).click()
    await drawer.getByRole('spinbutton', { name: t('field.count') }).fill('3')
    await drawer.getByRole('button', { name: t('create') }).click()
    const list = page.getByLabel(t('made.list'))
    codes = (await list.innerText()).split('\n')
    expect(new Set(codes).size).toBe(3)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('made.download') }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`${batch}.txt`)
    expect((await readFile(await file.path(), 'utf8')).trimEnd().split('\n')).toEqual(codes)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('made.copy_other') })
      .click()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(codes.join('\n'))
  })

  it('edits one of them, and switches one off', async () => {
    await search()
    const { page } = seat
    await rows()
      .first()
      .getByRole('button', { name: t('action.edit') })
      .click()
    const drawer = page.getByRole('dialog', { name: t('edit', { name: batch }) })
    await drawer.getByRole('button', { name: '$10', exact: true }).click()
    await drawer.getByRole('button', { name: own('save') }).click()
    await page.getByText(t('saved')).waitFor()
    await rows().first().getByText('$10').waitFor()
    await rows()
      .first()
      .getByRole('button', { name: t('action.disable') })
      .click()
    await rows().first().getByText(t('status.disabled')).waitFor()
  })

  it('adds its worth to the balance of a customer, once', async () => {
    const { page, faults } = await room.open({ language })
    const account = await addCustomer(room.app.root, `grace-${language}`, 0)
    await signIn(page, account.username, language)
    await page.goto('/topup')
    // The newest stands first in the list; the oldest was left as it was made.
    const code = codes.at(0) ?? ''
    await page.getByRole('textbox', { name: wallet('redeem.code') }).fill(code)
    await page.getByRole('button', { name: wallet('redeem.submit') }).click()
    await page.getByText(wallet('redeem.done', { amount: '$5' })).waitFor()
    await page.getByRole('textbox', { name: wallet('redeem.code') }).fill(code)
    await page.getByRole('button', { name: wallet('redeem.submit') }).click()
    await page.getByRole('alert').last().waitFor()
    await page.goto('/log')
    await page.getByRole('row').filter({ hasText: '$5' }).first().waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('deletes what is used up and says that the balance stays', async () => {
    await search()
    const { page } = seat
    const used = rows().filter({ hasText: t('status.used') })
    await used.getByRole('button', { name: t('action.delete') }).click()
    const question = page.getByRole('dialog', { name: t('deleteTitle', { name: batch }) })
    await question.getByText(t('deleteUsedText')).waitFor()
    await question.getByRole('button', { name: t('action.delete') }).click()
    await page.getByText(t('deleted', { name: batch })).waitFor()
    await expect.poll(() => rows().count()).toBe(2)
    expect(seat.faults).toEqual([])
  })
}

async function signIn(
  page: Parameters<typeof signInPage>[0],
  username: string,
  language: Language,
): Promise<void> {
  await signInPage(page, { username, password: customerPassword }, language)
}
