// A connection that breaks off now and then: what could not be loaded can be asked for again, and what was typed stays.
import { describe, expect, it } from 'vitest'
import { addChannel, rootAccount } from '#test'
import { describeConsole } from '../../harness/console-room.ts'

describeConsole(
  'the console on a connection that breaks',
  {
    prepare: ({ root }) =>
      addChannel(root, { name: 'Main', models: 'm', base_url: 'http://127.0.0.1:9' }),
  },
  (room) => {
    const seat = room.sit({ account: rootAccount })

    describe.each([
      {
        what: 'user',
        address: '/user/edit/1',
        api: '**/api/user/1',
        field: 'Username',
        is: 'root',
      },
      {
        what: 'channel',
        address: '/channel/edit/1',
        api: '**/api/channel/1',
        field: 'Name',
        is: 'Main',
      },
    ])('in front of a $what', ({ address, api, field, is }) => {
      it('offers to load it again', async () => {
        const { page } = seat
        await page.route(api, (route) => route.abort())
        await page.goto(address)
        const drawer = page.getByRole('dialog')
        await drawer.getByText('This could not be loaded').waitFor()
        await page.unroute(api)
        await drawer.getByRole('button', { name: 'Try again' }).click()
        await expect.poll(() => drawer.getByLabel(field, { exact: true }).inputValue()).toBe(is)
      })
    })

    it.each([
      { what: 'the first script', part: '**/assets/index-*.js' },
      { what: 'the words of the frame', part: '**/assets/texts-en-*.js' },
    ])('offers to load the page again where $what did not come', async ({ part }) => {
      const { page } = await room.open()
      await page.route(part, (route) => route.abort())
      await page.goto('/login')
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
      await page.unroute(part)
      await page.getByRole('link', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.context().close()
    })

    it('offers to load the invite link again', async () => {
      const { page } = seat
      await page.route('**/api/user/aff', (route) => route.abort())
      await page.goto('/personal')
      await page.getByText('This could not be loaded').waitFor()
      await page.unroute('**/api/user/aff')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText(/register\?aff=\w+/).waitFor()
    })
  },
)
