import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { usePreferences } from '../stores/preferences.ts'
import { useSession } from '../stores/session.ts'
import { i18n } from '../texts/instance.ts'
import { ApiError, api, onCallMissing, onSessionExpired, setSessionRenewal } from './client.ts'
import { openStream } from './stream.ts'

function answer(body: unknown, status = 200) {
  const fetch = vi.fn(async (_address: string, _init: RequestInit) =>
    Response.json(body, { status }),
  )
  vi.stubGlobal('fetch', fetch)
  return fetch
}

beforeEach(() => useSession.getState().signOut())
afterEach(() => vi.unstubAllGlobals())

describe('calling the server', () => {
  it('sends the user and the language with every call', async () => {
    const fetch = answer({ success: true, message: '', data: 5 })
    useSession.getState().signIn({ id: 7, username: 'ada', role: 1, group: 'default' })
    expect(await api.get('/api/thing', { query: { p: 1, keyword: '' } })).toBe(5)
    const [address, init] = fetch.mock.calls[0] ?? []
    expect(address).toBe('/api/thing?p=1')
    expect(init?.headers).toMatchObject({ 'New-API-User': '7', 'Accept-Language': 'en' })
  })

  it('sends -1 for a visitor', async () => {
    const fetch = answer({ success: true, message: '' })
    await api.post('/api/thing', {})
    expect(fetch.mock.calls[0]?.[1].headers).toMatchObject({ 'New-API-User': '-1' })
  })

  it('throws the sentence and the code of a refusal', async () => {
    answer({ success: false, message: 'The name is taken.', code: 'account.username_taken' })
    const failure = await failureOf(api.get('/api/thing', { isQuiet: true }))
    expect(failure).toMatchObject({ message: 'The name is taken.', code: 'account.username_taken' })
  })

  it('says why a call failed in the language that is chosen since', async () => {
    const messages = { en: 'The name is taken.', zh: '名称已被占用。' }
    answer({ success: false, message: messages.en, messages })
    const refused = await failureOf(api.get('/api/thing', { isQuiet: true }))
    answer({}, 429)
    const failed = await failureOf(api.get('/api/thing', { isQuiet: true }))
    expect(refused.message).toBe(messages.en)
    usePreferences.getState().setLanguage('zh')
    await vi.waitFor(() => expect(refused.message).toBe(messages.zh))
    expect(failed.message).toMatch(/^请求/)
    usePreferences.getState().setLanguage('en')
    await vi.waitFor(() => expect(refused.message).toBe(messages.en))
  })

  it.each([
    { status: 429, sentence: 'Too many requests. Try again later.' },
    { status: 500, sentence: 'Internal server error. Contact the admin.' },
    { status: 405, sentence: 'This site is for demo only, there is no server.' },
    { status: 413, sentence: 'Error: too large' },
  ])('has a sentence for HTTP $status', async ({ status, sentence }) => {
    answer({ success: false, message: 'too large' }, status)
    expect((await failureOf(api.get('/api/thing', { isQuiet: true }))).message).toBe(sentence)
  })

  it('says what a proxy means that has no sentence of its own', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>Bad Gateway</html>', { status: 502 }))
    expect((await failureOf(api.get('/api/thing', { isQuiet: true }))).message).toBe(
      'Error: The server cannot be reached at the moment (502). Try again shortly.',
    )
  })

  it('says what a missing route means, which the server only names', async () => {
    const message = 'Invalid URL (POST /api/thing)'
    answer({ success: false, message, code: 'route.missing' }, 404)
    const missing = await failureOf(api.post('/api/thing', {}, { isQuiet: true }))
    expect(missing.message).toMatch(/^The gateway does not have this function/)
    answer({ success: false, message: 'There is no such thing.', code: 'thing.gone' }, 404)
    const gone = await failureOf(api.post('/api/thing', {}, { isQuiet: true }))
    expect(gone.message).toBe('Error: There is no such thing.')
    // As a plugin may answer by itself, and as a proxy answers.
    answer({ success: false, message: 'No such card.' }, 404)
    const own = await failureOf(api.post('/api/thing', {}, { isQuiet: true }))
    expect(own.message).toBe('Error: No such card.')
    answer('<html>404 Not Found</html>', 404)
    const proxy = await failureOf(api.post('/api/thing', {}, { isQuiet: true }))
    expect(proxy.message).toBe('Error: 404')
  })

  it('warns against making a thing twice where only the answer may have been lost', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const quiet = { isQuiet: true }
    const failures = {
      made: await failureOf(api.post('/api/thing', {}, quiet)),
      read: await failureOf(api.get('/api/thing', quiet)),
      signIn: await failureOf(api.post('/api/user/login', {}, quiet)),
    }
    expect(failures.made.message).toMatch(/done all the same/)
    for (const { message } of [failures.read, failures.signIn])
      expect(message).toMatch(/^Could not reach the server/)
    const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    expect((await failureOf(api.post('/api/thing', {}, quiet))).message).toMatch(/^Could not reach/)
    // The connection goes away while the server works.
    isOnline.mockReturnValue(true)
    vi.stubGlobal('fetch', () => {
      isOnline.mockReturnValue(false)
      return Promise.reject(new TypeError('Failed to fetch'))
    })
    expect((await failureOf(api.post('/api/thing', {}, quiet))).message).toMatch(/all the same/)
  })

  it('says what failed once there are words, where it failed before', async () => {
    answer({ success: false, message: '' }, 429)
    await i18n.changeLanguage('none')
    const failure = failureOf(api.get('/api/status', { isQuiet: true }))
    await Promise.resolve()
    await i18n.changeLanguage('en')
    expect((await failure).message).toBe('Too many requests. Try again later.')
  })

  it('tells when the session has expired', async () => {
    answer({ success: false, message: '' }, 401)
    const listener = vi.fn()
    const dispose = onSessionExpired(listener)
    await failureOf(api.get('/api/thing', { isQuiet: true }))
    dispose()
    expect(listener).toHaveBeenCalledOnce()
  })

  it('asks for a new session before a stream fails, and sends it once more', async () => {
    answer({ success: false, message: '' }, 401)
    const renew = vi.fn(() => {
      vi.stubGlobal('fetch', async () => new Response('whole'))
      return Promise.resolve(true)
    })
    setSessionRenewal(renew)
    const { events } = await openStream('/pg/thing', {}, new AbortController().signal)
    setSessionRenewal(() => Promise.resolve(false))
    expect(renew).toHaveBeenCalledOnce()
    for await (const event of events) expect(event).toBe('whole')
    expect.assertions(2)
  })

  it('tells when the server knows no such call', async () => {
    answer({ success: false, message: 'There is no such call.' }, 404)
    const listener = vi.fn()
    const dispose = onCallMissing(listener)
    await failureOf(api.get('/api/thing', { isQuiet: true }))
    dispose()
    expect(listener).toHaveBeenCalledOnce()
  })

  it('gives a refusal without words a sentence and a code of its own', async () => {
    answer({ success: false, message: '' })
    const failure = await failureOf(api.get('/api/thing', { isQuiet: true }))
    expect(failure).toMatchObject({ code: 'unnamed' })
    expect(failure.message).not.toBe('')
  })
})

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}
