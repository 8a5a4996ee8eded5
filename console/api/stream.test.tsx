import { afterEach, describe, expect, it, vi } from 'vitest'
import { setSessionRenewal } from './client.ts'
import { openStream } from './stream.ts'

const path = '/pg/chat/completions'
const open = () => openStream(path, {}, new AbortController().signal)

/** Answers of the relay in turn, and whether the session is there when it is asked for. */
function serve(answers: readonly Response[], hasSession: boolean) {
  const left = [...answers]
  const fetch = vi.fn(async (address: string) =>
    address === path
      ? (left.shift() ?? Response.error())
      : new Response('{}', { status: hasSession ? 200 : 401 }),
  )
  vi.stubGlobal('fetch', fetch)
  return () => fetch.mock.calls.filter(([address]) => address === path).length
}

const refused = (message: string) => Response.json({ error: { message } }, { status: 401 })

afterEach(() => {
  vi.unstubAllGlobals()
  setSessionRenewal(async () => false)
})

describe('a stream that is refused with 401', () => {
  it('shows what the provider said where the session is there', async () => {
    const renew = vi.fn(async () => true)
    setSessionRenewal(renew)
    const count = serve([refused('Incorrect API key provided.')], true)
    await expect(open()).rejects.toThrow('Incorrect API key provided.')
    expect(renew).not.toHaveBeenCalled()
    expect(count()).toBe(1)
  })

  it('is sent once more after the person has signed in again', async () => {
    setSessionRenewal(async () => true)
    const count = serve([refused('You are not signed in.'), new Response('hello')], false)
    const { events } = await open()
    for await (const event of events) expect(event).toBe('hello')
    expect(count()).toBe(2)
  })

  it('says that the session has ended where nobody signs in', async () => {
    serve([refused('You are not signed in.')], false)
    await expect(open()).rejects.toMatchObject({ status: 401 })
  })
})
