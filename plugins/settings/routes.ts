import { envelope, errorType, type PluginServices, type RouteApp } from '#core'

const noAddress = errorType('settings.no_release_address', 400, {
  en: 'No address for the version check is set. Set UPDATE_CHECK_URL in the environment.',
  zh: '未配置版本检查地址，请设置环境变量 UPDATE_CHECK_URL。',
})
const noRelease = errorType('settings.no_release', 502, {
  en: 'The latest release could not be read. Check the network and UPDATE_CHECK_URL.',
  zh: '无法获取最新版本信息，请检查网络与 UPDATE_CHECK_URL。',
})

const LARGEST_BYTES = 1_048_576
const LONGEST_TAG = 100
const PATIENCE_MS = 10_000
/** Redirects are followed, because code hosts move projects. */
const MOST_REDIRECTS = 3

type Services = Pick<PluginServices, 'http' | 'environment'>

/** The latest release of the running program. The gateway fetches it, so that the page's content security policy
 *  stays closed. */
export function releaseRoutes(app: RouteApp, { http, environment }: Services): void {
  const schema = { summary: 'Ask UPDATE_CHECK_URL for the latest release of the gateway' }
  app.get('/api/setting/release', { config: { access: 'options' }, schema }, async () => {
    const { updateCheckUrl } = environment
    if (updateCheckUrl === '') throw noAddress()
    const release = await readRelease(http, updateCheckUrl)
    if (!release) throw noRelease()
    return envelope(release)
  })
}

async function readRelease(http: Services['http'], url: string) {
  const headers = { accept: 'application/json', 'user-agent': 'tollgate' }
  try {
    const answer = await http.json(
      { method: 'GET', url, headers },
      {
        maxBytes: LARGEST_BYTES,
        maxRedirects: MOST_REDIRECTS,
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
    )
    const { tag_name, body } = (answer.body ?? {}) as { tag_name?: unknown; body?: unknown }
    if (answer.status !== 200 || typeof tag_name !== 'string') return undefined
    const isNamed = tag_name !== '' && tag_name.length <= LONGEST_TAG
    return isNamed ? { tag_name, body: typeof body === 'string' ? body : '' } : undefined
  } catch {
    return undefined
  }
}
