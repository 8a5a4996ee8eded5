// The longest names that accounts, tokens, models and channels may have: what has no room ends in an ellipsis and is told in full, and covers nothing.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { rootAccount } from '#test'
import { describeConsole } from '../../harness/console-room.ts'
import { addChannel, addCustomer, setPrice } from '../../harness/shop.ts'
import { type FakeUpstream, fakeUpstream } from '../../harness/upstream.ts'

const username = 'W'.repeat(60)
const model = `maker/${'M'.repeat(60)}`
const channel = 'N'.repeat(80)

let upstream: FakeUpstream

describeConsole(
  'names of the greatest length',
  {
    prepare: async (app) => {
      upstream = await fakeUpstream({ promptTokens: 1_234_567, completionTokens: 654_321 })
      const fields = { base_url: upstream.url, models: model, name: channel, group: 'default,vip' }
      await addChannel(app.root, fields)
      await setPrice(app.root, model, 1)
      const unpriced = { base_url: upstream.url, models: 'm', name: 'Research, second' }
      const id = await addChannel(app.root, unpriced)
      await app.root.put('/api/channel/', { id, status: 2 })
      const { id: customer, key } = await addCustomer(app.root, username, 500_000_000)
      // A row with a long sentence in the place of the model.
      const edited = { display_name: 'D'.repeat(60), group: 'vip', password: 'another password' }
      await app.root.put('/api/user/', { id: customer, ...edited })
      const answer = await fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      })
      expect(answer.status).toBe(200)
    },
    finish: () => upstream.close(),
    // A file that two copies of SQLite have open in one process loses its locks.
    isWithin: false,
  },
  (room) => {
    const desk = room.sit({ account: rootAccount })
    const phone = room.sit({ account: rootAccount, isOnPhone: true })

    it('are cut off with an ellipsis in the list of users', async () => {
      for (const { page } of [desk, phone]) {
        await page.goto('/user')
        await page.getByText(username).first().waitFor()
        expect(await cutWithout(page, 'ellipsis', username)).toEqual([])
        expect(await cutWithout(page, 'title', username)).toEqual([])
      }
    })

    it('stay within a question', async () => {
      for (const { page } of [desk, phone]) {
        await page.goto('/user')
        await page.getByRole('button', { name: `More actions: ${username}` }).click()
        await page.getByRole('menuitem', { name: 'Deregister' }).click()
        const question = page.getByRole('dialog', { name: 'Deregister user' })
        await question.waitFor()
        const overflow = await question.evaluate((box) => box.scrollWidth - box.clientWidth)
        expect(overflow).toBe(0)
        await page.keyboard.press('Escape')
      }
    })

    it('leave every column of the usage log in sight', async () => {
      const { page } = desk
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto('/log')
      await page.getByText(model).first().waitFor()
      const table = page.locator('.table-scroll')
      expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
      for (const name of [username, model, channel]) {
        expect(await cutWithout(page, 'ellipsis', name)).toEqual([])
        expect(await cutWithout(page, 'title', name)).toEqual([])
      }
    })

    it('stand on one line in the lists of codes and of addresses', async () => {
      const { page } = desk
      const code = 'W'.repeat(20)
      await room.app.root.post('/api/redemption/', { name: code, quota: 1, count: 1 })
      await page.goto('/redemption')
      await page.getByText(code).first().waitFor()
      expect(await cutWithout(page, 'title', code)).toEqual([])
      const email = `${'long-address-'.repeat(4)}@example.com`
      // Nobody may enter another's address.
      const database = new DatabaseSync(join(room.app.dataDir, 'tollgate.db'), { timeout: 10_000 })
      database.prepare('UPDATE users SET email = ? WHERE username = ?').run(email, username)
      database.close()
      await page.evaluate(`localStorage.setItem('columns:users', '{"email":true}')`)
      await page.goto('/user')
      await page.getByText(email).waitFor()
      for (const what of ['ellipsis', 'title'] as const)
        expect(await cutWithout(page, what, email)).toEqual([])
      const heights = await page
        .locator('.table-scroll tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(4)
    })

    it('leave the menu of a card on a phone where it can be reached', async () => {
      const { page } = phone
      await page.goto('/channel')
      await page.getByRole('button', { name: `More actions: ${channel}` }).click()
      const box = await page.getByRole('menu').boundingBox()
      expect(box).not.toBeNull()
      const { x, y, width, height } = box ?? { x: -1, y: -1, width: 0, height: 0 }
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(390)
      expect(y + height).toBeLessThanOrEqual(844)
    })

    it('open the receipt where they are the title of a card', async () => {
      const { page } = phone
      await page.goto('/log')
      await page.getByText(model).first().click()
      await page.getByRole('dialog').getByText('Request ID').waitFor()
      expect(new URL(page.url()).search).toBe('')
    })

    it('of a site make no page wider than a phone', async () => {
      const { page } = phone
      const set = (value: string) => room.app.root.put('/api/option/', { key: 'SystemName', value })
      await set('S'.repeat(60))
      for (const address of ['/', '/login', '/channel']) {
        await page.goto(address)
        await page.getByRole('main').getByText('SSSS').first().waitFor()
        const width = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect(width, address).toBe(390)
      }
      await set('')
    })

    it('are read on a card beside their status', async () => {
      const { page } = phone
      await page.goto('/channel')
      const name = page.getByText('Research, second', { exact: true })
      expect(await name.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    })
  },
)

/** For the page: the elements that cut a name off and lack what should tell of it. */
const cutOff = `(what, name) =>
  [...document.querySelectorAll('main *')]
    .filter((element) => [...element.childNodes].some((node) => node.textContent === name))
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .filter((element) => {
      if (what === 'title') return !element.closest('[title]')?.title.includes(name)
      // Boxes of boxes mark nothing.
      const { textOverflow, display } = getComputedStyle(element)
      return textOverflow !== 'ellipsis' || /flex|grid/.test(display)
    })
    .map(({ outerHTML }) => outerHTML.slice(0, 200))`

/** What should tell of it: the mark, or the whole name where the mouse rests. */
function cutWithout(page: Page, what: 'ellipsis' | 'title', name: string): Promise<string[]> {
  return page.evaluate<string[]>(`(${cutOff})(${JSON.stringify(what)}, ${JSON.stringify(name)})`)
}
