// Pages that an administrator writes as HTML, in Chromium: they keep their looks and cannot cover or imitate the console.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'
import { buildConsole, chromiumPath, openBrowser, openPage } from '../../harness/browser.ts'

const chromium = chromiumPath()

let app: App
let browser: Browser

beforeAll(async () => {
  if (!chromium) return
  buildConsole()
  app = await startApp({ isWithin: true, env: { GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false' } })
  browser = await openBrowser(chromium)
}, 180_000)

afterAll(async () => {
  await browser?.close()
  await app?.close()
})

const cover = 'position: fixed; inset: 0; z-index: 99999; margin: -9999px; background: white'

const about = `<div>
<p id="root" class="arco-modal-mask" style="color: rgb(1, 2, 3); ${cover}">the page</p>
<style>body { display: none }</style>
<form action="https://elsewhere.example"><input name="password"><button>Sign in</button></form>
<select><option>one</option></select>
<dialog open>covers</dialog>
<div popover>covers</div>
<img src="x" onerror="document.title = 'run'"><script>document.title = 'run'</script>
<a href="https://elsewhere.example" target="_blank">away</a>
</div>`

describe.runIf(chromium)('a page of an administrator', () => {
  it('keeps its looks, and nothing that covers, imitates or runs', async () => {
    await app.root.put('/api/option/', { key: 'About', value: about })
    const { page } = await openPage(browser, app.url)
    await page.goto('/about')
    const text = page.getByText('the page')
    await text.waitFor()
    const html = await page.locator('.rich-text').innerHTML()
    expect(html).toContain('rgb(1, 2, 3)')
    expect(html).toContain('noopener noreferrer')
    expect(html).not.toMatch(
      /<(?:style|form|input|button|select|option|dialog|script)\b|popover|class=|id=|onerror|position|z-index|-9999px/,
    )
    expect(await page.title()).not.toBe('run')
    await page.context().close()
  })

  it('is painted inside its own box', async () => {
    const { page } = await openPage(browser, app.url)
    await page.goto('/about')
    await page.getByText('the page').waitFor()
    const style = "getComputedStyle(document.querySelector('.rich-text > div')).contain"
    expect(await page.evaluate<string>(style)).toContain('paint')
    await page.context().close()
  })
})
