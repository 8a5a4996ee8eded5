// Who changes the language in front of a form keeps what was typed, and reads no key in place of a word meanwhile.
import { expect, it } from 'vitest'
import { describeConsole } from '../../harness/console-room.ts'

describeConsole('a change of language', {}, (room) => {
  it.each(['/login', '/register'])('at %s loses no input and misses no text', async (address) => {
    const { page, faults } = await room.open()
    await page.goto(address)
    const name = page.getByRole('main').getByRole('textbox').first()
    await name.fill('ada')
    await page.getByRole('button', { name: /Language/ }).click()
    await page.getByRole('menuitem', { name: '中文' }).click()
    await page.getByRole('heading', { name: address === '/login' ? '登录' : '注册' }).waitFor()
    expect(await name.inputValue()).toBe('ada')
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('is told to have failed where the words do not come, and can be tried again', async () => {
    const { page } = await room.open()
    await page.goto('/login')
    await page.route('**/assets/texts-zh-*', (route) => route.abort())
    const choose = async () => {
      await page.getByRole('button', { name: /Language/ }).click()
      await page.getByRole('menuitem', { name: '中文' }).click()
    }
    await choose()
    await page.getByText(/^Could not reach the server/).waitFor()
    expect(await page.getByRole('button', { name: /Language/ }).textContent()).toMatch(/^EN/)
    await page.unroute('**/assets/texts-zh-*')
    await choose()
    await page.getByRole('heading', { name: '登录' }).waitFor()
    await page.context().close()
  })
})
