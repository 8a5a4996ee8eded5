// Who changes the language in front of a form keeps what was typed, and reads no key in place of a word meanwhile.
import { expect, it } from 'vitest'
import { rootAccount } from '#test'
import { signInPage } from '../../harness/browser.ts'
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

  it('in another tab reaches the question that is open in this one', async () => {
    const { page } = await room.open()
    await signInPage(page, rootAccount)
    await room.app.root.post('/api/token/', { name: 'laptop', unlimited_quota: true })
    await page.reload()
    await page.getByRole('button', { name: 'More actions: laptop' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete token laptop?' }).waitFor()
    const other = await page.context().newPage()
    await other.goto('/about')
    await other.evaluate(`localStorage.setItem('i18nextLng', 'zh')`)
    const question = page.getByRole('dialog', { name: '删除令牌 laptop？' })
    await question.getByText('且无法恢复').waitFor()
    await question.getByRole('button', { name: '删除' }).click()
    await page.getByText('令牌 laptop 已删除。').waitFor()
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
