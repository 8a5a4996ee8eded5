// Signing in through providers in a real browser: the page of the provider is another site, so that cookies behave as they do in life.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, rootAccount, startApp } from '#test'
import {
  buildConsole,
  chromiumPath,
  openBrowser,
  openPage,
  signInPage,
} from '../../harness/browser.ts'
import { certifiedOidc, type CertifiedOidc } from '../../harness/counterparts/certified-oidc.ts'

const chromium = chromiumPath()

describe.runIf(chromium)('the ways to sign in beside the password', () => {
  let app: App
  let github: Server
  let oidc: CertifiedOidc
  let browser: Browser | undefined
  let answersError = false

  beforeAll(async () => {
    buildConsole()
    github = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const json = (body: object) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(body))
      }
      if (pathname === '/login/oauth/authorize') {
        const back = new URL(searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('state', searchParams.get('state') ?? '')
        if (answersError) back.searchParams.set('error', 'access_denied')
        else back.searchParams.set('code', 'a-code')
        // A page that leads on, not a redirect: the person presses a button there.
        response.setHeader('content-type', 'text/html')
        response.end(`<a id="agree" href="${back.href.replaceAll('&', '&amp;')}">Authorize</a>`)
      } else if (pathname === '/login/oauth/access_token') json({ access_token: 'gho_x' })
      else if (pathname === '/user') json({ id: 583231, login: 'octocat', name: 'The Octocat' })
      else json([])
    })
    await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve))
    // Another name of the same machine is another site to the browser.
    const site = `http://localhost:${(github.address() as AddressInfo).port}`
    const samples = fileURLToPath(new URL('../../samples', import.meta.url))
    app = await startApp({
      isWithin: true,
      env: { GITHUB_URL: site, GITHUB_API_URL: site, PLUGIN_DIRS: samples },
      plugins: ['every-point'],
    })
    oidc = await certifiedOidc([
      { client_id: 'ours', client_secret: 's', redirect_uris: [`${app.url}/oauth/oidc`] },
    ])
    oidc.person = { sub: 'p1', preferred_username: 'grace', name: 'Grace' }
    for (const [key, value] of Object.entries({
      GitHubClientId: 'client',
      GitHubClientSecret: 'secret',
      GitHubOAuthEnabled: 'true',
      'oidc.well_known': `${oidc.url}/.well-known/openid-configuration`,
      'oidc.client_id': 'ours',
      'oidc.client_secret': 's',
      'oidc.enabled': 'true',
    }))
      await app.root.put('/api/option/', { key, value })
    browser = await openBrowser(chromium ?? '')
  })

  afterAll(async () => {
    await browser?.close()
    await app.close()
    await oidc.close()
    await new Promise((resolve) => github.close(resolve))
  })

  const open = async () => {
    if (!browser) throw new Error('no browser')
    return openPage(browser, app.url)
  }
  const nameOf = (page: Page) =>
    page.evaluate(
      () => (JSON.parse(localStorage.getItem('user') ?? '{}') as { username?: string }).username,
    )

  it('are on the sign-in page, with those of plugins from outside that know no console', async () => {
    const { page } = await open()
    await page.goto('/login')
    for (const name of ['GitHub', 'OIDC', 'Every point'])
      await page.getByRole('button', { name: `Continue with ${name}` }).waitFor()
  })

  it('lead to the provider and back to the tokens', async () => {
    const { page, faults } = await open()
    await page.goto('/login?aff=none')
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.locator('#agree').click()
    await page.waitForURL('**/token')
    expect(await nameOf(page)).toMatch(/^github_\d+$/)
    expect(faults).toEqual([])
  })

  it('work with a certified OpenID Connect provider', async () => {
    const { page } = await open()
    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with OIDC' }).click()
    await page.waitForURL('**/token')
    expect(await nameOf(page)).toBe('grace')
  })

  it.each([
    {
      viewer: { language: 'en' } as const,
      words: {
        none: 'Not bound',
        bind: 'Bind OIDC',
        done: 'The account has been bound.',
        bound: 'Bound: root-at-oidc',
        unbind: 'Unbind OIDC',
        sure: 'Unbind',
      },
    },
    {
      viewer: { language: 'zh', isOnPhone: true } as const,
      words: {
        none: '未绑定',
        bind: '绑定 OIDC',
        done: '绑定成功',
        bound: '已绑定：root-at-oidc',
        unbind: '解绑 OIDC',
        sure: '解绑',
      },
    },
  ])(
    'bind to the account that is signed in, and end there too: $viewer',
    async ({ viewer, words }) => {
      const { page, faults } = await open()
      await signInPage(page, rootAccount)
      await page.evaluate(
        (language) => localStorage.setItem('i18nextLng', language),
        viewer.language,
      )
      if ('isOnPhone' in viewer) await page.setViewportSize({ width: 390, height: 844 })
      await page.goto('/personal')
      const row = page.getByRole('listitem').filter({ hasText: 'OIDC' })
      await row.getByText(words.none).waitFor()
      oidc.person = { sub: 'root-at-oidc' }
      await row.getByRole('button', { name: words.bind, exact: true }).click()
      await page.getByText(words.done).waitFor()
      expect(new URL(page.url()).pathname).toBe('/setting')
      await page.goto('/personal')
      await row.getByText(words.bound).waitFor()
      await row.getByRole('button', { name: words.unbind, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.sure, exact: true }).click()
      await row.getByText(words.none).waitFor()
      expect(faults).toEqual([])
    },
  )

  it('show an admin what the well-known address names, or why it cannot be read', async () => {
    const { page } = await open()
    await signInPage(page, rootAccount)
    await page.goto('/setting?tab=system')
    const check = page.getByRole('button', { name: 'Check the configuration' })
    await check.click()
    await page.getByText(`${oidc.url}/token`).first().waitFor()
    await app.root.put('/api/option/', {
      key: 'oidc.well_known',
      value: 'http://127.0.0.1:9/.well-known/openid-configuration',
      with: { 'oidc.client_secret': 's' },
    })
    await page.reload()
    await check.click()
    // Whose accounts these are cannot be asked either, which stands above.
    const section = page.locator('#section-oidc')
    await section.getByText('Check the network and the well-known URL').waitFor()
  })

  it('say in the language of the page what went wrong, and lead on', async () => {
    answersError = true
    const { page } = await open()
    await page.addInitScript(() => localStorage.setItem('i18nextLng', 'zh'))
    await page.goto('/login')
    await page.getByRole('button', { name: '使用 GitHub 登录' }).click()
    await page.locator('#agree').click()
    await page.getByText('登录服务返回：access_denied').waitFor()
    await page.getByText('操作失败，正在跳转').waitFor()
    // From where a visitor is led to sign in.
    await page.waitForURL(({ pathname }) => pathname === '/setting' || pathname === '/login')
  })
})
