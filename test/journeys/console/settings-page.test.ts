// The settings page in Chromium: what an admin changes there is what the gateway does.
import { expect, it } from 'vitest'
import { addChannel, addCustomer, type App, rootAccount } from '#test'
import { describeConsole } from '../../harness/console-room.ts'
import { violations } from '../../harness/screens.ts'

const setup = {
  prepare: (app: App) =>
    addChannel(app.root, { base_url: 'http://127.0.0.1:9', models: 'never-priced' }),
}

describeConsole('the settings page', setup, (room) => {
  const seat = room.sit({ account: rootAccount })

  const section = (id: string) => seat.page.locator(`#section-${id}`)
  const save = (id: string) =>
    section(id).locator('.option-form').getByRole('button', { name: 'Save' }).click()
  const textShown = (words: string) => seat.page.getByText(words).last().waitFor()
  const optionOf = async (key: string) => {
    const rows = await room.app.root.get<{ key: string; value: string }[]>('/api/option/')
    return rows.find((row) => row.key === key)?.value
  }

  it('saves what was changed, and the frame follows', async () => {
    await seat.page.goto('/setting?tab=other')
    await section('branding').getByLabel('System name').fill('Harbour')
    await save('branding')
    await textShown('Settings saved.')
    await seat.page.getByRole('banner').getByText('Harbour').waitFor()
    expect(await optionOf('SystemName')).toBe('Harbour')
  })

  it('tells in the history of a section who changed what, and goes back', async () => {
    const branding = section('branding')
    await branding.getByRole('button', { name: 'History' }).click()
    const drawer = seat.page.getByRole('dialog', { name: 'History: Branding' })
    const change = drawer.getByRole('listitem').filter({ hasText: 'Tollgate → Harbour' })
    await change.getByText('root, this machine').waitFor()
    await change.getByText('In use').waitFor()
    expect(await violations(seat.page)).toEqual([])
    await change.getByRole('button', { name: 'Undo this change: System name' }).click()
    await seat.page.getByRole('button', { name: 'Roll back', exact: true }).click()
    await textShown('“System name” was rolled back.')
    await seat.page.getByRole('banner').getByText('Tollgate').waitFor()
    expect(await optionOf('SystemName')).toBe('Tollgate')
    await drawer.getByRole('listitem').filter({ hasText: 'Harbour → Tollgate' }).waitFor()
    await drawer.getByRole('button', { name: 'Close' }).click()
  })

  it('keeps what the server refuses, with its reason below the field', async () => {
    await seat.page.goto('/setting')
    const groups = section('groups')
    await groups.getByLabel('Group ratios').fill('{"vip": 2}')
    await save('groups')
    await textShown('Save failed, retry. The reason stands below each.')
    await groups.getByText('“Group ratios” needs the group "default"').waitFor()
    expect(await optionOf('GroupRatio')).toContain('"default"')
    await groups.getByRole('button', { name: 'Undo changes' }).click()
  })

  it('asks before sign-in by password goes off, and leaves it on when that is declined', async () => {
    await seat.page.goto('/setting?tab=system')
    const toggle = section('sign-in').getByRole('switch', { name: 'Allow sign-in by password' })
    await toggle.click()
    const dialog = seat.page.getByRole('dialog')
    await dialog.getByText('Only the super admin can then sign in').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await toggle.getAttribute('aria-checked')).toBe('true')
  })

  it('replaces a secret without ever showing it', async () => {
    const worker = section('worker')
    await worker.getByLabel('Worker address').fill('https://worker.test')
    await worker.getByLabel('Worker key').fill('first key')
    await save('worker')
    await textShown('Settings saved.')
    await worker.getByText('Set', { exact: true }).waitFor()
    expect(await seat.page.content()).not.toContain('first key')
    // Who entered a secret may set its address for a while; now it is that of a colleague.
    const colleague = await addCustomer(room.app.root, 'colleague', 0)
    await room.app.root.post('/api/user/manage', { id: colleague.id, action: 'promote' })
    await colleague.client.put('/api/option/', { key: 'WorkerValidKey', value: 'second key' })
    await worker.getByLabel('Worker address').fill('https://elsewhere.test')
    await save('worker')
    await worker.getByText('enter “Worker key” again').last().waitFor()
    await worker.getByRole('button', { name: 'Undo changes' }).click()
  })

  it('asks before changes are lost', async () => {
    await section('address').getByLabel('Server address').fill('https://gate.test')
    await seat.page.getByRole('tab', { name: 'Other' }).click()
    await seat.page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await section('address').getByRole('button', { name: 'Undo changes' }).click()
  })

  it('prices a model that channels serve and nobody has priced', async () => {
    await seat.page.goto('/setting?prices=unset_models#prices')
    const prices = section('prices')
    await prices.getByText('never-priced', { exact: true }).click()
    await seat.page.getByText('Price per 1M tokens').click()
    await seat.page.getByLabel('Input, per 1M tokens').fill('3')
    await seat.page.getByLabel('Output, per 1M tokens').fill('12')
    await seat.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await textShown('never-priced is priced.')
    await prices.getByText('Every model has a price').waitFor()
    const ratios = JSON.parse((await optionOf('ModelRatio')) ?? '') as Record<string, number>
    const completions = JSON.parse((await optionOf('CompletionRatio')) ?? '') as typeof ratios
    expect([ratios['never-priced'], completions['never-priced']]).toEqual([1.5, 4])
  })

  it('stays at the prices when they are shown in another form', async () => {
    const { page } = seat
    await page.goto('/setting')
    await page.getByRole('button', { name: 'Model prices', exact: true }).click()
    const tab = section('prices').getByRole('tab', { name: 'By model' })
    const place = () => section('prices').evaluate((card) => card.getBoundingClientRect().top)
    const before = await place()
    await tab.click()
    await section('prices').getByRole('button', { name: 'Add a model' }).waitFor()
    expect(await place()).toBeCloseTo(before, 0)
  })

  it('leads from a plugin to its options', async () => {
    // There are more than a page of them.
    await seat.page.goto('/plugin?search=chat-links')
    await seat.page
      .getByRole('button', { name: 'Settings: Links to chat clients of other sites' })
      .click()
    await seat.page.waitForURL(/\/setting\?plugin=chat-links$/)
    await section('chats').getByLabel('Chat clients').waitFor()
    expect(seat.faults).toEqual([])
  })
})
