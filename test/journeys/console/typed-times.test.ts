// A time is typed where the keyboard stands: every letter counts, and the calendar is in nobody's way.
import { expect, it } from 'vitest'
import { rootAccount } from '#test'
import { describeConsole } from '../../harness/console-room.ts'

describeConsole('a time typed by keys alone', {}, (room) => {
  const seat = room.sit({ account: rootAccount })

  it('counts in a form', async () => {
    const { page } = seat
    await page.goto('/token')
    await page.getByRole('main').getByRole('button', { name: 'Create token' }).first().click()
    const expires = page.getByRole('dialog').getByLabel('Expires')
    await expires.focus()
    await page.keyboard.type('2027-01-31 18:00')
    expect(await expires.inputValue()).toBe('2027-01-31 18:00')
    await page.keyboard.press('Tab')
    await expect.poll(() => expires.inputValue()).toBe('2027-01-31 18:00:00')
    await expect.poll(() => page.locator('.arco-picker-container').isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
  })

  it('counts in both fields of a period', async () => {
    const { page } = seat
    await page.goto('/detail')
    const [from, to] = [page.getByPlaceholder('From'), page.getByPlaceholder('To')]
    await from.focus()
    await page.keyboard.type('2026-01-01 00:00')
    expect(await from.inputValue()).toBe('2026-01-01 00:00')
    await page.keyboard.press('Tab')
    await expect.poll(() => from.inputValue()).toBe('2026-01-01 00:00:00')
    // The dashboard has filled it meanwhile.
    await expect.poll(() => to.inputValue()).not.toBe('')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('2026-01-08 00:00:00')
    await page.keyboard.press('Tab')
    await expect.poll(() => to.inputValue()).toBe('2026-01-08 00:00:00')
    expect(await from.inputValue()).toBe('2026-01-01 00:00:00')
    await expect.poll(() => page.locator('.arco-picker-range-container').isVisible()).toBe(false)
  })

  it('counts where the calendar opens under a pointer that lies still', async () => {
    const { page } = seat
    await page.goto('/log')
    await page.getByRole('combobox').filter({ hasText: 'All time' }).click()
    await page.getByRole('option', { name: 'Custom period' }).click()
    const from = page.getByPlaceholder('From')
    const field = await from.boundingBox()
    await page.mouse.move((field?.x ?? 0) + 20, (field?.y ?? 0) + 160)
    await from.focus()
    await page.keyboard.type('2026-01-01 00:00', { delay: 40 })
    expect(await from.inputValue()).toBe('2026-01-01 00:00')
    await page.keyboard.press('Tab')
    await expect.poll(() => from.inputValue()).toBe('2026-01-01 00:00:00')
  })

  it('that is none leaves the period open to be typed again', async () => {
    const { page } = seat
    await page.goto('/log')
    await page.getByRole('combobox').filter({ hasText: 'All time' }).click()
    await page.getByRole('option', { name: 'Custom period' }).click()
    await page.getByPlaceholder('To').fill('tomorrow')
    await page.keyboard.press('Tab')
    await page.locator('.arco-picker-range-container').waitFor({ state: 'hidden' })
    expect(await page.getByPlaceholder('From').isVisible()).toBe(true)
  })
})
