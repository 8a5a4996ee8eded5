// What a bad console part costs, in Chromium: its own place. Everybody can sign in and work, and the plugins screen names it.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, rootAccount, startApp } from '#test'
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  signInPage,
} from '../harness/browser.ts'
import { type MadeFolders, makeFolders, type PluginFolder } from './plugin-folders.ts'

const chromium = chromiumPath()

/** An external plugin whose server part is right, with this console module. */
function bad(id: string, source: string): PluginFolder {
  const manifest = `import { definePlugin } from 'tollgate'
export default definePlugin({ id: '${id}', contract: '^1.3', consoleModule: 'console/index.js' })
`
  return { id, files: { 'index.ts': manifest, 'console/index.js': source } }
}

const fails = `() => { throw new Error('out of order') }`
const texts = `texts: { en: { title: 'Title' }, zh: { title: '标题' } }`
const part = (id: string, rest: string) => bad(id, `export default { ${texts}, ${rest} }`)
const screen = (id: string, load: string) =>
  part(id, `screens: [{ path: '/${id}', title: 'title', load: ${load} }]`)
const entry = (more: string) =>
  `{ id: 'e', label: 'title', group: 'console', order: 1, link: () => '/x', ${more} }`

/** With what the plugins screen says of it; of a screen, what its card says. */
const parts: readonly {
  folder: PluginFolder
  says: RegExp
  isScreen?: true
  /** Nobody asks it on the plugins screen. */
  isLater?: true
}[] = [
  { folder: bad('c-import', `throw new Error('no module')`), says: /no module/ },
  { folder: bad('c-syntax', `export default {{{`), says: /./ },
  { folder: bad('c-hangs', `await new Promise(() => undefined)`), says: /within 10 s/ },
  { folder: bad('c-number', `export default 5`), says: /no default export/ },
  { folder: bad('c-nothing', `export const nothing = 1`), says: /no default export/ },
  { folder: bad('c-missing', `import './nowhere.js'; export default {}`), says: /./ },
  { folder: part('c-list', `screens: 'all'`), says: /"screens" is no list/ },
  { folder: part('c-entry', `menu: [null]`), says: /menu\[0\]: it is no object/ },
  { folder: part('c-icon', `menu: [${entry('icon: 5')}]`), says: /"icon"/ },
  { folder: part('c-drawn', `menu: [${entry(`icon: ${fails}`)}]`), says: /icon of menu\[0\]/ },
  { folder: part('c-visible', `menu: [${entry(`isVisible: ${fails}`)}]`), says: /isVisible/ },
  { folder: part('c-link', `menu: [${entry(`link: ${fails}`)}]`), says: /link\(\)/ },
  { folder: part('c-children', `menu: [${entry('children: () => 5')}]`), says: /children\(\)/ },
  {
    folder: part(
      'c-login',
      `screens: [{ path: '/login', title: 'title', access: 'public', load: ${fails} }]`,
    ),
    says: /belongs to the console/,
  },
  {
    folder: part(
      'c-all',
      `screens: [{ path: '*', title: 'title', access: 'public', load: ${fails} }]`,
    ),
    says: /"path"/,
  },
  {
    folder: part('c-check', `botChecks: [{ id: 'b', isEnabled: ${fails}, load: ${fails} }]`),
    says: /isEnabled/,
    isLater: true,
  },
  { folder: part('c-method', `signInMethods: [{ id: 5, order: 1 }]`), says: /"id"/ },
  {
    folder: part('c-binding', `bindings: [{ id: 'b', order: 'last', load: ${fails} }]`),
    says: /"order"/,
  },
  {
    folder: part('c-setting', `settings: [{ id: 's', tab: 5, section: 's', load: ${fails} }]`),
    says: /"tab"/,
  },
  {
    folder: part(
      'c-card',
      `widgets: [{ id: 'w', title: 'title', order: 1, size: 'huge', load: ${fails} }]`,
    ),
    says: /"size"/,
  },
  {
    folder: part('c-column', `tables: [{ id: 'users', columns: [{ id: 'c', title: 'title' }] }]`),
    says: /tables\[0\]\.columns\[0\]: "load"/,
  },
  {
    folder: part(
      'c-action',
      `tables: [{ id: 'users', rowActions: [{ id: 'a', label: 'title' }] }]`,
    ),
    says: /neither "link" nor "load"/,
  },
  {
    folder: part(
      'c-section',
      `drawers: [{ id: 'd', drawer: 'user', title: 'title', order: 'last', load: ${fails} }]`,
    ),
    says: /"order"/,
  },
  {
    folder: part('c-home', `home: [{ id: 'h', order: 1, place: 'left', load: ${fails} }]`),
    says: /"place"/,
  },
  { folder: bad('c-texts', `export default { texts: 'Hello', screens: [] }`), says: /texts/ },
  { folder: screen('c-load', fails), says: /out of order/, isScreen: true },
  {
    folder: screen('c-draw', `async () => ({ default: ${fails} })`),
    says: /out of order/,
    isScreen: true,
  },
  {
    folder: screen('c-void', `async () => ({ default: () => { throw undefined } })`),
    says: /undefined/,
    isScreen: true,
  },
  {
    folder: screen('c-shape', `async () => ({ default: 'screen' })`),
    says: /no default export/,
    isScreen: true,
  },
  {
    folder: bad(
      'c-effect',
      `import { useEffect } from 'react'
export default { ${texts}, screens: [{ path: '/c-effect', title: 'title', load: async () => ({ default: () => { useEffect(${fails}); return null } }) }] }`,
    ),
    says: /out of order/,
    isScreen: true,
  },
]
/** Fail or hang where they are drawn: in the table and drawer of users, on the home page. */
const draws = `async () => ({ default: ${fails} })`
const hangs = '() => new Promise(() => undefined)'
const inPlaces = [draws, hangs, fails].map((load, index) =>
  part(
    `c-place-${index}`,
    `tables: [{ id: 'users', columns: [{ id: 'c', title: 'title', load: ${load} }], rowActions: [{ id: 'a', label: 'title', isVisible: ${fails}, load: ${load} }] }],
     drawers: [{ id: 'd', drawer: 'user', title: 'title', order: 1, load: ${load} }],
     home: [{ id: 'h', order: 1, load: ${load} }]`,
  ),
)
/** Fails where it is drawn: the button on the page of everybody. */
const button = part(
  'c-button',
  `signInMethods: [{ id: 'own', order: 1, isEnabled: () => true, load: async () => ({ default: ${fails} }) }]`,
)
const good = part(
  'c-good',
  `menu: [${entry(`link: () => '/good'`)}], screens: [{ path: '/good', title: 'title', load: async () => ({ default: () => 'All is well' }) }]`,
)

describe.runIf(chromium)('bad console parts, all at once', () => {
  let folders: MadeFolders
  let app: App
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    buildConsole()
    const all = [...parts.map(({ folder }) => folder), ...inPlaces, button, good]
    folders = await makeFolders(all)
    app = await startApp({ env: { PLUGIN_DIRS: folders.path }, plugins: all.map(({ id }) => id) })
    browser = await openBrowser(chromium ?? '')
  }, 180_000)

  afterAll(async () => {
    await browser.close()
    await app.close()
    await folders.remove()
  })

  it('leave the sign-in form usable, at once', async () => {
    const opened = await openPage(browser, app.url)
    page = opened.page
    await page.goto(`${app.url}/login`)
    await page.locator('input[type=password]').waitFor({ timeout: 8_000 })
    await page.getByRole('alert').getByText('c-button').waitFor()
    await signInPage(page, rootAccount)
    await page.getByRole('link', { name: 'API tokens' }).first().waitFor()
  }, 60_000)

  it('leave the screens of others usable, and the menu whole', async () => {
    await page.goto(`${app.url}/token`)
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
    await page.locator('a[href="/good"]').waitFor()
    await page.locator('a[href="/good"]').click()
    await page.getByText('All is well').waitFor()
  })

  it('leave tables, drawers and the home page of others usable', async () => {
    await page.goto(`${app.url}/user`)
    await page.getByRole('cell', { name: /^root/ }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('alert').getByText('c-place-0').waitFor()
    await drawer.getByLabel('Display name').fill('Boss')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.waitFor({ state: 'detached' })
    await page.getByText('Boss').first().waitFor()
    await page.goto(`${app.url}/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByText('out of order').count()).toBe(0)
  })

  it.each(parts.filter(({ isScreen }) => isScreen))(
    'show a card with their name in the place of $folder.id',
    async ({ folder, says }) => {
      await page.goto(`${app.url}/${folder.id}`)
      const card = page.locator('main').getByRole('alert')
      await card.getByText(folder.id).waitFor()
      expect(await card.textContent()).toMatch(says)
    },
  )

  it('are named on the plugins screen, each with its fault', async () => {
    await page.goto(`${app.url}/plugin`)
    const search = page.getByRole('searchbox')
    for (const { folder, says } of parts.filter(({ isScreen, isLater }) => !isScreen && !isLater)) {
      await search.fill(folder.id)
      const row = page.getByRole('row').filter({ has: page.getByText(folder.id, { exact: true }) })
      await row.getByText('In its console part').waitFor({ timeout: 15_000 })
      expect([folder.id, await row.textContent()]).toEqual([folder.id, expect.stringMatching(says)])
    }
  }, 60_000)

  it('can be switched off from there', async () => {
    await app.root.put('/api/plugin/', { id: 'c-hangs', enabled: false })
    await app.root.put('/api/plugin/', { id: 'c-hangs', enabled: true })
    await app.root.put('/api/plugin/', { id: 'pricing', enabled: false })
    await app.root.put('/api/plugin/', { id: 'pricing', enabled: true })
  })
})
