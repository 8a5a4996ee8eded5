// The data of a site beside its calls: keys, codes, orders, drawings and songs. Made through the API where a user
// would make it, and written directly elsewhere.
import type { DatabaseSync } from 'node:sqlite'
import { ApiRefusal } from '../api-client.ts'
import type { App } from '../app.ts'

const ONE_DAY_SECONDS = 86_400

const tokens = [
  { name: 'production', unlimited_quota: true, expired_time: -1 },
  { name: 'staging', remain_quota: 2_500_000, expired_time: -1 },
  { name: 'laptop', remain_quota: 500_000, days: 30 },
  { name: '文档机器人', remain_quota: 41_250, days: 7, models: 'gpt-4o-mini,deepseek-chat' },
  { name: 'intern', remain_quota: 0, days: 90 },
  { name: 'batch over night', remain_quota: 75_000_000, expired_time: -1, ips: '10.0.0.0/8' },
  { name: 'demonstration, customer visit', remain_quota: 100_000, days: -3 },
] as const

const codes = [
  { name: '开业赠送', quota: 500_000, count: 6 },
  { name: 'workshop', quota: 2_500_000, count: 5, days: 14 },
  { name: 'partner', quota: 50_000_000, count: 2 },
] as const

/** Tokens of the super admin, and codes. */
export async function addTokensAndCodes({ root }: App, nowSeconds: number): Promise<void> {
  const inDays = (days: number) => nowSeconds + days * ONE_DAY_SECONDS
  for (const token of tokens) {
    const models = 'models' in token ? token.models : ''
    await root.post('/api/token/', {
      ...token,
      expired_time: 'days' in token ? inDays(token.days) : -1,
      model_limits_enabled: models !== '',
      model_limits: models,
      allow_ips: 'ips' in token ? token.ips : '',
    })
  }
  for (const { name, quota, count, ...more } of codes) {
    const expired_time = 'days' in more ? inDays(more.days) : 0
    await root.post('/api/redemption/', { name, quota, count, expired_time })
  }
}

const prompts = [
  'A lighthouse at dusk, oil on canvas --ar 16:9',
  '水墨山水，远山含烟',
  'Isometric kitchen of a tiny restaurant, warm light',
  'Portrait of a cat as an admiral, 1860, photograph',
]

const drawings = [
  { status: 'SUCCESS', progress: '100%', code: 1, action: 'IMAGINE', ms: 41_000 },
  { status: 'IN_PROGRESS', progress: '62%', code: 1, action: 'IMAGINE', ms: 0 },
  { status: 'SUCCESS', progress: '100%', code: 1, action: 'UPSCALE', ms: 9_400 },
  { status: 'FAILURE', progress: '100%', code: 1, action: 'VARIATION', ms: 73_000 },
  { status: 'SUBMITTED', progress: '0%', code: 22, action: 'BLEND', ms: 0 },
  { status: 'SUCCESS', progress: '100%', code: 1, action: 'DESCRIBE', ms: 6_200 },
] as const

const songs = [
  { status: 'SUCCESS', progress: '100%', action: 'MUSIC', ms: 128_000 },
  { status: 'IN_PROGRESS', progress: '30%', action: 'MUSIC', ms: 0 },
  { status: 'FAILURE', progress: '100%', action: 'LYRICS', ms: 4_100 },
  { status: 'SUCCESS', progress: '100%', action: 'LYRICS', ms: 7_700 },
] as const

/** Today's drawings and songs, as their platforms reported them. Nothing polls them, because their platforms have no
 *  channel. */
export function addTasks(database: DatabaseSync, nowSeconds: number): void {
  const insert = database.prepare(
    `INSERT INTO tasks (platform, screen, task_id, user_id, channel_id, model_name, action, quota, code, status, progress, fail_reason,
       input, data, created_at, updated_at, submit_ms, start_ms, finish_ms, is_open)
     VALUES (?, ?, ?, 1, 1, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  )
  const add = (platform: string, screen: string, at: number, task: LogDetails) => {
    const submitted = nowSeconds - at * 171
    const isFailed = task.status === 'FAILURE'
    insert.run(
      platform,
      screen,
      `17${submitted}0${at}`,
      screen === 'drawing' ? 'mj_imagine' : 'suno_music',
      task.action,
      task.code ?? 0,
      task.status,
      task.progress,
      isFailed ? 'The prompt was refused by the moderation of the provider.' : '',
      prompts[at % prompts.length] ?? '',
      JSON.stringify({ promptEn: prompts[0], imageUrl: '' }),
      submitted,
      submitted,
      submitted * 1000,
      submitted * 1000 + 800,
      task.ms === 0 ? 0 : submitted * 1000 + task.ms,
    )
  }
  // The newest row has the highest id.
  for (let at = 23; at >= 0; at--) {
    add('midjourney', 'drawing', at, drawings[at % drawings.length] as LogDetails)
  }
  for (let at = 7; at >= 0; at--) add('suno', 'tasks', at, songs[at % songs.length] as LogDetails)
}

interface LogDetails {
  status: string
  progress: string
  action: string
  code?: number
  ms: number
}

/** Orders that were never paid; paid ones are in the ledger. */
export function addOrders(
  database: DatabaseSync,
  userIds: readonly number[],
  nowSeconds: number,
): void {
  const insert = database.prepare(
    `INSERT INTO top_ups (user_id, trade_no, provider, payment_method, amount, quota, money, currency, status, create_time)
     VALUES (?, ?, 'epay', ?, ?, ?, ?, 'CNY', ?, ?)`,
  )
  const states = ['pending', 'expired', 'expired', 'failed']
  for (let at = 13; at >= 0; at--) {
    const dollars = [5, 10, 20, 100][at % 4] ?? 5
    const made = nowSeconds - 40 - at * 7_307
    insert.run(
      at % 3 === 0 ? 1 : (userIds[at % userIds.length] ?? 1),
      `USR${made}${at}`,
      at % 2 === 0 ? 'zfb' : 'wx',
      dollars,
      dollars * 500_000,
      (dollars * 7.3).toFixed(2),
      at === 0 ? 'pending' : (states[at % states.length] ?? 'expired'),
      made,
    )
  }
}

/** Makes the dashboard count at once instead of every few minutes, by switching its plugin off and on. */
export async function countDashboard({ root }: App, nowSeconds: number): Promise<void> {
  for (const enabled of [false, true]) await switchDashboard(root, enabled)
  const month = `start_timestamp=${nowSeconds - 30 * ONE_DAY_SECONDS}&end_timestamp=${nowSeconds}`
  const endMs = performance.now() + 20_000
  while (performance.now() < endMs) {
    const answer = await root.call<unknown[]>('GET', `/api/data/?${month}`)
    if (answer.success && answer.data.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The dashboard was not counted.')
}

/** On a busy machine the database may be behind with what was just written. */
async function switchDashboard(root: App['root'], enabled: boolean): Promise<void> {
  const endMs = performance.now() + 30_000
  for (;;) {
    const answer = await root.call('PUT', '/api/plugin/', { id: 'dashboard', enabled })
    if (answer.success) return
    if (answer.status !== 503 || performance.now() > endMs)
      throw new ApiRefusal('switching the dashboard', answer)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
