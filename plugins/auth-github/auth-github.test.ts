// Against a stand-in written from GitHub's page "Authorizing OAuth apps": codes are valid once, errors have status
// 200, and the API requires a User-Agent.
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createPluginApp,
  type InjectClient,
  type PluginApp,
  scriptedUpstream,
  sendJson,
} from '#test'
import type { ScriptedUpstream, UpstreamCall } from '#test'
import { createHttpClient } from '../../core/net/http-client.ts'
import { definePlugin } from '#core'
import authGithub from './index.ts'

interface Grant {
  clientId: string
  redirectUri: string | null
  challenge: string | null
}

let github: ScriptedUpstream
let app: PluginApp
const http = createHttpClient({ ssrfAllow: [] })
const grants = new Map<string, Grant>()
const user: Record<string, unknown> = {}
let emails: unknown = []

/** Another method must be on, because the last way to sign in cannot be switched off. */
const another = definePlugin({
  id: 'another',
  server: ({ authProviders }) =>
    authProviders.add({
      id: 'another',
      kind: 'direct',
      name: { en: 'Another', zh: 'Another' },
      isEnabled: () => true,
      identify: () => Promise.resolve({ subject: '1' }),
    }),
})

beforeAll(async () => {
  github = await scriptedUpstream()
  github.behave((response, call) => {
    const { status = 200, body } = answerTo(call)
    sendJson(response, body, status)
  })
  app = await createPluginApp({
    plugins: [authGithub, another],
    environment: { read: (name) => (name.startsWith('GITHUB') ? `${github.url}/` : undefined) },
    services: { fetch: (request, options) => http.json(request, options) },
  })
})
afterAll(async () => {
  await app.close()
  await http.close()
  await github.close()
})
beforeEach(async () => {
  Object.assign(user, {
    id: 583231,
    login: 'octocat',
    name: 'The Octocat',
    email: 'public@example.com',
  })
  emails = [
    { email: 'second@example.com', primary: false, verified: true },
    { email: 'octocat@example.com', primary: true, verified: true },
  ]
  await app.options.setMany({ GitHubClientId: 'our-client', GitHubClientSecret: 'our-secret' })
  await app.options.set('GitHubOAuthEnabled', 'true')
})
afterEach(() => app.removeAccounts())

function answerTo({ path, headers, sent }: UpstreamCall): { status?: number; body: unknown } {
  if (path === '/login/oauth/access_token') return { body: exchange(new URLSearchParams(sent)) }
  if (headers['authorization'] !== 'Bearer gho_token' || !headers['user-agent'])
    return { status: 401, body: { message: 'Bad credentials' } }
  return { body: path === '/user' ? user : emails }
}

function exchange(form: URLSearchParams): object {
  const grant = grants.get(form.get('code') ?? '')
  grants.delete(form.get('code') ?? '')
  if (!grant || grant.clientId !== form.get('client_id')) return { error: 'bad_verification_code' }
  if (form.get('client_secret') !== 'our-secret') return { error: 'incorrect_client_credentials' }
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  if (grant.challenge !== null && grant.challenge !== proof)
    return { error: 'bad_verification_code' }
  if (grant.redirectUri !== form.get('redirect_uri')) return { error: 'redirect_uri_mismatch' }
  return { access_token: 'gho_token', scope: 'user:email', token_type: 'bearer' }
}

interface Started {
  client: InjectClient
  state: string
  page: URL
}

async function start(client = app.client()): Promise<Started> {
  const answer = await client.call<string>('GET', '/api/oauth/state?provider=github')
  const { authorize_url: address } = answer as unknown as { authorize_url: string }
  return { client, state: answer.data, page: new URL(address) }
}

/** The user agrees on GitHub's page. */
function agree(page: URL, clientId = page.searchParams.get('client_id') ?? ''): string {
  const code = `code-${grants.size}-${Math.trunc(performance.now())}`
  const { searchParams: asked } = page
  const [redirectUri, challenge] = [asked.get('redirect_uri'), asked.get('code_challenge')]
  grants.set(code, { clientId, redirectUri, challenge })
  return code
}

const finish = ({ client, state }: Started, code: string) =>
  client.call<{ id: number; username: string }>(
    'GET',
    `/api/oauth/github?code=${code}&state=${state}`,
  )

describe('signing in with GitHub', () => {
  it('asks for the code with state, challenge and callback, and for the least it needs', async () => {
    const { page, state } = await start()
    expect(page.href).toContain(`${github.url}/login/oauth/authorize?`)
    expect(Object.fromEntries(page.searchParams)).toEqual({
      client_id: 'our-client',
      redirect_uri: 'http://localhost/oauth/github',
      scope: 'user:email',
      state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('knows the person by the number and keeps the primary verified address', async () => {
    const begun = await start()
    const { data } = await finish(begun, agree(begun.page))
    expect(await app.accounts.find(data.id)).toMatchObject({
      github_id: '583231',
      username: expect.stringMatching(/^github_\d+$/),
      display_name: 'The Octocat',
      email: 'octocat@example.com',
    })
  })

  it('is not fooled by somebody who took the login of a renamed person', async () => {
    const first = await start()
    const owner = await finish(first, agree(first.page))
    user['id'] = 999
    const second = await start()
    const thief = await finish(second, agree(second.page))
    expect(thief.success).toBe(true)
    expect(thief.data.id).not.toBe(owner.data.id)
  })

  it.each([
    { list: [{ email: 'a@example.com', primary: true, verified: false }] },
    { list: { message: 'Not Found' } },
  ])('keeps no address of $list', async ({ list }) => {
    emails = list
    const begun = await start()
    const { data } = await finish(begun, agree(begun.page))
    expect(await app.accounts.find(data.id)).toMatchObject({ email: '' })
  })

  it('takes a code from a console that built the address itself', async () => {
    const client = app.client()
    const { data: state } = await client.call<string>('GET', '/api/oauth/state')
    const code = agree(new URL('http://any/?client_id=our-client'))
    expect(await finish({ client, state, page: new URL('http://any/') }, code)).toMatchObject({
      success: true,
    })
  })

  it('refuses a code twice, a code of another client and a code that another browser asked for', async () => {
    const [one, two, three] = [await start(), await start(), await start()]
    const used = agree(one.page)
    await finish(one, used)
    const stolen = agree(three.page)
    const foreign = agree(two.page, 'their-client')
    for (const code of [used, foreign, stolen]) {
      const again = await start()
      expect(await finish(again, code)).toMatchObject({
        status: 200,
        success: false,
        code: 'sign_in.code_refused',
      })
    }
  })

  it.each([{ id: undefined }, { id: '583231' }, { id: 0 }, { id: 1.5 }])(
    'refuses an answer with %j for a number',
    async (change) => {
      Object.assign(user, change)
      const begun = await start()
      expect(await finish(begun, agree(begun.page))).toMatchObject({
        code: 'auth_github.unreadable',
      })
    },
  )

  it('tells nobody the secret, and the status what older consoles read', async () => {
    expect(app.options.list().map(({ key }) => key)).not.toContain('GitHubClientSecret')
    const fields = new Map(
      app.contributions.statusFields.list().map((field) => [field.id, field.value()]),
    )
    expect(Object.fromEntries(fields)).toEqual({
      github_oauth: true,
      github_client_id: 'our-client',
    })
  })

  it('opens no account by a code that another client was given for it', async () => {
    const started = await start()
    const { data } = await finish(started, agree(started.page))
    // Somebody who may change options, but not sign in as anybody, registers a client of his own.
    await app.options.set('GitHubClientId', 'his-client')
    const client = app.client()
    const { data: state } = await client.call<string>('GET', '/api/oauth/state')
    const code = agree(new URL('http://his.example/'), 'his-client')
    const answer = await finish({ client, state, page: started.page }, code)
    expect(answer).toMatchObject({ success: false, code: 'sign_in.issuer_changed' })
    await app.options.set('GitHubClientId', 'our-client')
    const again = await start()
    expect((await finish(again, agree(again.page))).data.id).toBe(data.id)
  })

  it('cannot be switched on without a client', async () => {
    await app.options.set('GitHubOAuthEnabled', 'false')
    await app.options.set('GitHubClientId', '')
    await expect(app.options.set('GitHubOAuthEnabled', 'true')).rejects.toMatchObject({
      code: 'options.precondition',
    })
  })
})
