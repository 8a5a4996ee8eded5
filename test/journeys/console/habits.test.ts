// What people expect without thinking of it: nothing typed is lost, nothing moves under the pointer, many things are not gone by one press.
import { expect, it } from 'vitest'
import { rootAccount } from '#test'
import { signInPage } from '../../harness/browser.ts'
import { describeConsole } from '../../harness/console-room.ts'
import { contrastOf } from '../../harness/screens.ts'

describeConsole('the console', {}, (room) => {
  const seat = room.sit()

  it('keeps the button of the registration in its place when a field turns out wrong', async () => {
    await seat.page.goto('/register')
    const button = seat.page.getByRole('main').getByRole('button', { name: 'Create account' })
    const before = await button.boundingBox()
    await seat.page.getByLabel('Username').fill('with@sign')
    await seat.page.getByLabel('Password', { exact: true }).fill('short')
    await seat.page.getByLabel('Password', { exact: true }).blur()
    await seat.page
      .getByText(/at least 8/)
      .last()
      .waitFor()
    expect((await button.boundingBox())?.y).toBe(before?.y)
  })

  it('asks for the password over an unsaved form when the session has ended, and goes on', async () => {
    await signInPage(seat.page, rootAccount)
    await seat.page.getByRole('button', { name: 'Create token' }).first().click()
    const drawer = seat.page.getByRole('dialog').filter({ hasText: 'Quota' })
    await drawer.getByLabel('Name', { exact: true }).fill('kept')
    await seat.page.context().clearCookies()
    await drawer.getByRole('button', { name: 'Create token' }).click()
    const again = seat.page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('Password of root').fill('not the password')
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
    await again.getByLabel('Password of root').fill(rootAccount.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await seat.page.getByRole('dialog', { name: 'Token created' }).waitFor()
    const tokens = await room.app.root.get<{ name: string }[]>('/api/token/?p=0&size=10')
    expect(tokens.map(({ name }) => name)).toEqual(['kept'])
  })

  it.each([
    { address: '/topup', opens: [], field: 'Redemption code', button: 'Redeem' },
    { address: '/plugin', opens: ['Install', 'Folder'], field: /^Folder on/, button: 'Install' },
  ])('keeps what is typed at $address when the session has ended', async (one) => {
    const { page } = seat
    await page.goto(one.address)
    for (const name of one.opens)
      await page.getByRole('button', { name }).or(page.getByRole('tab', { name })).last().click()
    const field = page.getByLabel(one.field, { exact: true })
    await field.fill('no-such-thing')
    await page.context().clearCookies()
    await page.getByRole('button', { name: one.button, exact: true }).last().click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByLabel('Password of root').fill(rootAccount.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    expect(await field.inputValue()).toBe('no-such-thing')
  })

  it('leads to the sign-in page where nothing would be lost, and back from there', async () => {
    const { page } = seat
    await page.goto('/token')
    await page.getByRole('row', { name: /kept/ }).waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Usage log' }).first().click()
    await page.waitForURL('**/login?expired=true')
    await page.getByLabel('Username or e-mail').fill(rootAccount.username)
    await page.getByLabel('Password', { exact: true }).fill(rootAccount.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/log')
  })

  it('says which and asks how many before it deletes more than one', async () => {
    await room.app.root.post('/api/token/', {
      name: 'second',
      unlimited_quota: true,
      expired_time: -1,
    })
    await signInPage(seat.page, rootAccount)
    await seat.page.locator('label', { has: seat.page.getByLabel('Select all rows') }).click()
    const bar = seat.page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'Delete' }).click()
    const question = seat.page.getByRole('dialog', { name: 'Delete 2 tokens?' })
    expect(await question.getByRole('listitem').allInnerTexts()).toEqual(['second', 'kept'])
    const confirm = question.getByRole('button', { name: 'Delete' })
    expect(await confirm.isDisabled()).toBe(true)
    await question.getByRole('textbox').fill('2')
    await confirm.click()
    await seat.page.getByText('No tokens yet').waitFor()
    await seat.page.getByRole('main').getByRole('button', { name: 'Create token' }).nth(1).waitFor()
    // The keyboard goes on from there and not from the top of the page.
    const focused = () => seat.page.evaluate<string>('document.activeElement.id')
    await expect.poll(focused).toBe('content')
  })

  it('keeps every control of a drawer in sight, however long a name in it is', async () => {
    await room.app.root.post('/api/channel/', {
      type: 1,
      name: 'wide',
      key: 'sk-wide',
      models: 'a-model-of-a-long-name-'.repeat(8),
      group: 'default',
    })
    await seat.page.goto('/channel')
    await seat.page.getByRole('button', { name: 'Edit: wide' }).click()
    const drawer = seat.page.getByRole('dialog', { name: /wide/ })
    const button = drawer.getByRole('button', { name: 'Add', exact: true })
    // Both at one moment, because the drawer slides into its dialog while it opens.
    const isInside = await button.evaluate((inner) => {
      const outer = inner.closest('.drawer')
      return (
        outer !== null && inner.getBoundingClientRect().right < outer.getBoundingClientRect().right
      )
    })
    expect(isInside).toBe(true)
  })

  // The audit of every screen tells nothing about them: their ground is drawn in layers.
  it.each(['light', 'dark'])('writes the chosen of a few readably, theme %s', async (theme) => {
    await seat.page.goto('/user/edit/1')
    const chosen = '.arco-radio-button.arco-radio-checked'
    await seat.page.locator(chosen).first().waitFor()
    await seat.page.evaluate(`document.body.setAttribute('arco-theme', '${theme}')`)
    expect(await contrastOf(seat.page, chosen)).toBeGreaterThan(4.5)
  })

  it.each(['light', 'dark'])('shows a button that does nothing now, theme %s', async (theme) => {
    await seat.page.goto('/user')
    const previous = '.pager .arco-btn-disabled'
    await seat.page.locator(previous).first().waitFor()
    await seat.page.evaluate(`document.body.setAttribute('arco-theme', '${theme}')`)
    expect(await contrastOf(seat.page, previous)).toBeGreaterThan(3)
  })

  it('shows in the dark which primary button does nothing now', async () => {
    await seat.page.goto('/playground')
    const send = 'main .arco-btn-primary.arco-btn-disabled'
    await seat.page.locator(send).waitFor()
    await seat.page.evaluate(`document.body.setAttribute('arco-theme', 'dark')`)
    const ground = () =>
      seat.page.evaluate<string>(
        `getComputedStyle(document.querySelector('${send}')).backgroundColor`,
      )
    // A grey: one number for all three. A colour says that it can be pressed.
    await expect.poll(ground).toMatch(/\((\d+), \1, \1\b/)
  })

  it('shows what is switched on where colours are forced', async () => {
    await seat.page.emulateMedia({ forcedColors: 'active' })
    await seat.page.goto('/setting?tab=operation#general')
    await seat.page.getByRole('switch').first().waitFor()
    const looks = await seat.page.evaluate<string[]>(
      `[...document.querySelectorAll('[role=switch]')].map((one) => {
        const { borderTopStyle, backgroundColor } = getComputedStyle(one)
        return [one.ariaChecked, borderTopStyle, backgroundColor].join('; ')
      })`,
    )
    await seat.page.emulateMedia({ forcedColors: null })
    const kinds = [...new Set(looks)].map((look) => look.split('; ').slice(0, 2).join(' '))
    // Each state has a look of its own, with a line around it.
    expect(kinds.toSorted()).toEqual(['false solid', 'true solid'])
  })

  it('keeps the buttons of a form in sight in a window of 320 px', async () => {
    const size = seat.page.viewportSize()
    await seat.page.setViewportSize({ width: 320, height: 640 })
    await seat.page.goto('/channel/add')
    const drawer = seat.page.getByRole('dialog', { name: 'Add channel' })
    const endOfButton = async () => {
      const box = await drawer.getByRole('button', { name: 'Add channel' }).boundingBox()
      return (box?.x ?? 320) + (box?.width ?? 0)
    }
    // The drawer slides in.
    await expect.poll(endOfButton).toBeLessThan(320)
    await seat.page.setViewportSize(size ?? { width: 1280, height: 900 })
  })

  it('keeps the cursor in a dialog that was opened while the drawer below it still slid in', async () => {
    await seat.page.goto('/channel')
    await seat.page.getByRole('button', { name: 'Add channel' }).first().click()
    // Does not wait until the button stands still.
    await seat.page.getByRole('button', { name: /^Provider:/ }).dispatchEvent('click')
    await seat.page.locator('.drawer.slideRight-enter-done').waitFor()
    await seat.page.keyboard.type('Anthropic Claude')
    await seat.page.keyboard.press('Enter')
    const drawer = seat.page.getByRole('dialog', { name: 'Add channel' })
    await drawer.getByRole('button', { name: 'Provider: Anthropic Claude' }).waitFor()
  })

  it('chooses a provider by keyboard, blames nothing left out so far, and stays in its place', async () => {
    await seat.page.goto('/channel/add')
    const drawer = seat.page.getByRole('dialog', { name: 'Add channel' })
    const hasFocus = (provider: string) =>
      drawer
        .getByRole('button', { name: `Provider: ${provider}` })
        .evaluate((button) => button === button.ownerDocument.activeElement)
    await expect.poll(() => hasFocus('OpenAI')).toBe(true)
    await seat.page.keyboard.press('Enter')
    await seat.page.getByRole('combobox', { name: 'Name, maker or model family' }).fill('DeepSeek')
    await seat.page.keyboard.press('Enter')
    await expect.poll(() => hasFocus('DeepSeek')).toBe(true)
    expect(await drawer.getByText('This is needed.').count()).toBe(0)
  })
})
