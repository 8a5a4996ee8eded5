// One gateway for a whole file: the four callers, an upstream, and whatever a room adds.
import { ApiClient } from '../harness/api-client.ts'
import { type App, rootAccount, startApp } from '../harness/app.ts'
import {
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type UpstreamBehaviour,
  type UpstreamCall,
} from '../harness/scripted-upstream.ts'
import type { CallerName } from './table.ts'

const password = 'a contract of four'

export interface Stage {
  readonly app: App
  readonly callers: Readonly<Record<CallerName, ApiClient>>
  readonly upstream: ScriptedUpstream
  /** Of the same role, with a session and (but for the super admin) an account of its own. */
  another(name: CallerName): Promise<ApiClient>
  /** A user or admin with an account of its own. */
  account(username: string, role?: 'user' | 'admin'): Promise<ApiClient>
  /** One more upstream, which ends with the stage. */
  spare(behaviour: UpstreamBehaviour): Promise<ScriptedUpstream>
  /** An option, as every console saves it. */
  option(key: string, value: string): Promise<void>
  /** Ends with the stage. */
  onClose(work: () => Promise<void>): void
  close(): Promise<void>
}

export const stagePassword = password

export async function openStage(env: Record<string, string> = {}): Promise<Stage> {
  const upstream = await scriptedUpstream()
  upstream.behave((response, call) => sendJson(response, answerOf(call)))
  const endings: (() => Promise<void>)[] = [() => upstream.close()]
  const app = await startApp({ isWithin: true, env: { ...providersAt(upstream.url), ...env } })
  const account = async (username: string, role: 'user' | 'admin' = 'user') => {
    await app.root.post('/api/user/', { username, password })
    const client = await new ApiClient(app.url).signIn(username, password)
    if (role === 'admin')
      await app.root.post('/api/user/manage', { id: client.userId, action: 'promote' })
    return client
  }
  const callers = {
    anonymous: new ApiClient(app.url),
    user: await account('contract-user'),
    admin: await account('contract-admin', 'admin'),
    root: app.root,
  }
  let count = 0
  return {
    app,
    callers,
    upstream,
    account,
    async another(name) {
      if (name === 'anonymous') return new ApiClient(app.url)
      if (name === 'root')
        return new ApiClient(app.url).signIn(rootAccount.username, rootAccount.password)
      return account(`another-${name}-${(count += 1)}`, name)
    },
    async spare(behaviour) {
      const spare = await scriptedUpstream()
      endings.push(() => spare.close())
      spare.behave(behaviour)
      return spare
    },
    option: (key, value) => app.root.put('/api/option/', { key, value }),
    onClose: (work) => void endings.push(work),
    async close() {
      await app.close()
      await Promise.all(endings.map((end) => end()))
    },
  }
}

/** The fixed addresses of sign-in providers and of the bot check, led to the stage. */
function providersAt(url: string): Record<string, string> {
  return {
    GITHUB_URL: url,
    GITHUB_API_URL: `${url}/github`,
    LINUX_DO_URL: url,
    TURNSTILE_VERIFY_URL: `${url}/siteverify`,
  }
}

function providerAnswer({ path, sent }: UpstreamCall): unknown {
  if (path === '/siteverify') return { success: sent.includes('response=good'), 'error-codes': [] }
  if (path.startsWith('/api/wechat/user')) {
    const code = path.split('code=')[1] ?? ''
    return { success: true, message: '', data: code === '404' ? '' : `wechat-${code}` }
  }
  // The token tells the person on.
  if (path.endsWith('/access_token') || path.endsWith('/oauth2/token'))
    return { access_token: /code["=: ]+(\w+)/.exec(sent)?.[1] ?? '' }
  return undefined
}

function personOf(token: unknown): number {
  return Number(String(token).replace(/\D/g, ''))
}

function profileAnswer({ path, headers }: UpstreamCall): unknown {
  const person = personOf(headers['authorization'])
  if (path === '/github/user') return { id: 5_000 + person, login: 'octocat', name: 'The Octocat' }
  if (path === '/github/user/emails') return []
  if (path === '/api/user')
    return {
      id: 76 + person,
      username: 'neo',
      name: 'Neo',
      active: true,
      trust_level: 2,
      silenced: false,
    }
  return undefined
}

/** Chat, a model list, both task platforms and every provider. */
function answerOf(call: UpstreamCall): unknown {
  const { path } = call
  const provider = providerAnswer(call) ?? profileAnswer(call)
  if (provider !== undefined) return provider
  if (path.startsWith('/v1/models')) return { data: [{ id: 'gpt-4o' }, { id: 'contract-model' }] }
  if (path.startsWith('/suno/submit')) return { code: 'success', message: '', data: 'song-1' }
  if (path.startsWith('/suno/fetch')) return { code: 'success', data: [] }
  if (path.startsWith('/mj/submit'))
    return { code: 1, description: 'Submit success', result: 'drawing-1' }
  if (path.startsWith('/mj/')) return []
  if (path.includes('billing/subscription')) return { hard_limit_usd: 20, has_payment_method: true }
  if (path.includes('billing/usage')) return { total_usage: 750 }
  return {
    id: 'chatcmpl-contract',
    object: 'chat.completion',
    created: 1_767_322_800,
    model: 'contract-model',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}
