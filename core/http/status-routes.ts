import type { FastifyInstance } from 'fastify'
import { envelope } from '../contract/http.ts'
import { errorType } from '../contract/errors.ts'
import type { OptionService } from '../contract/options.ts'
import type { StatusField } from '../contract/plugin.ts'
import type { DatabaseService, EnvironmentView } from '../contract/services.ts'
import { withTimeout } from '../kernel/with-timeout.ts'

const notReady = errorType('server.not_ready', 503, {
  en: 'The database does not answer.',
  zh: '数据库无响应。',
})

export interface StatusRouteDeps {
  options: OptionService
  database: DatabaseService
  environment: EnvironmentView
  isReady: () => boolean
  statusFields: () => readonly StatusField[]
}

const PING_INTERVAL_MS = 10_000
const LONGEST_PING_MS = 2_000

export function statusRoutes(app: FastifyInstance, deps: StatusRouteDeps): void {
  let lastPing = { atMs: -Infinity, isAlive: true }
  const status = { summary: 'Show the name, version and public settings of this site' }
  app.get('/api/status', { config: { access: 'public' }, schema: status }, () =>
    envelope(statusOf(deps)),
  )
  const test = { summary: 'Check that the database answers; 503 if it does not' }
  app.get('/api/status/test', { config: { access: 'admin' }, schema: test }, async () => {
    if (performance.now() - lastPing.atMs > PING_INTERVAL_MS) {
      lastPing = { atMs: performance.now(), isAlive: await answers(deps.database) }
    }
    if (!lastPing.isAlive) throw notReady()
    return { ...envelope(), message: 'Server is running' }
  })
  app.route({ method: ['GET', 'HEAD'], url: '/healthz', handler: () => ({ status: 'ok' }) })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: async (_request, reply) => {
      const isReady = deps.isReady() && (await answers(deps.database))
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' })
    },
  })
}

/** False also if the database takes too long, because the caller has a time limit of its own. */
async function answers(database: DatabaseService): Promise<boolean> {
  try {
    await withTimeout(LONGEST_PING_MS, 'the ping', database.ping())
    return true
  } catch {
    return false
  }
}

/** All fields of `/api/status`. Plugins set their own as status fields; fields of plugins that are off keep a neutral value. */
function statusOf(deps: StatusRouteDeps): Record<string, unknown> {
  const { options, environment } = deps
  return {
    ...neutral,
    version: environment.version,
    start_time: environment.startedAtSeconds,
    system_name: options.get('SystemName'),
    logo: options.get('Logo'),
    footer_html: options.get('Footer'),
    server_address: options.get('ServerAddress'),
    docs_link: options.get('general_setting.docs_link'),
    monitor_link: options.get('general_setting.monitor_link'),
    token_query_link: options.get('general_setting.token_query_link'),
    release_url: environment.updateCheckUrl,
    register_enabled: options.get('RegisterEnabled'),
    quota_per_unit: options.get('QuotaPerUnit'),
    display_in_currency: options.get('DisplayInCurrencyEnabled'),
    default_collapse_sidebar: options.get('DefaultCollapseSidebar'),
    demo_site_enabled: options.get('DemoSiteEnabled'),
    self_use_mode_enabled: options.get('SelfUseModeEnabled'),
    default_use_auto_group: options.get('DefaultUseAutoGroup'),
    enable_batch_update: false,
    shared_rate_limits: environment.hasRedis,
    option_min_role: environment.optionMinRole,
    ...fieldsOf(deps.statusFields()),
  }
}

function fieldsOf(fields: readonly StatusField[]): Record<string, unknown> {
  const values = fields.map((field) => [field.id, field.value()] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

// Older consoles read these without checking that they exist.
const neutral = {
  setup: true,
  email_verification: false,
  github_oauth: false,
  github_client_id: '',
  linuxdo_oauth: false,
  linuxdo_client_id: '',
  telegram_oauth: false,
  telegram_bot_name: '',
  oidc_enabled: false,
  oidc_client_id: '',
  oidc_authorization_endpoint: '',
  wechat_login: false,
  wechat_qrcode: '',
  turnstile_check: false,
  turnstile_site_key: '',
  password_register_enabled: false,
  password_login_enabled: false,
  top_up_link: '',
  chat_link: '',
  chats: [],
  price: 7.3,
  min_topup: 1,
  enable_online_topup: false,
  enable_drawing: false,
  enable_task: false,
  enable_data_export: false,
  data_export_default_time: 'hour',
  mj_notify_enabled: false,
}
