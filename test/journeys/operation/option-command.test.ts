// A super admin who switched the bot check on with wrong keys gets in again by the command line.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, rootAccount, startApp } from '#test'
import { printOptionHistory } from '../../../core/cli/option-history.ts'
import { setOption } from '../../../core/cli/set-option.ts'
import { commandWithin } from '../../harness/gateway-process.ts'

let app: App

beforeAll(async () => {
  app = await startApp({ isWithin: true, env: { TURNSTILE_VERIFY_URL: 'http://127.0.0.1:9/' } })
  for (const [key, value] of [
    ['TurnstileSiteKey', 'wrong'],
    ['TurnstileSecretKey', 'wrong'],
    ['TurnstileCheckEnabled', 'true'],
  ])
    await app.root.put('/api/option/', { key, value })
})
afterAll(() => app.close())

async function signIn(): Promise<unknown> {
  const response = await fetch(`${app.url}/api/user/login?turnstile=x`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rootAccount),
  })
  return response.json()
}

describe('tollgate options set', () => {
  it('opens the door that wrong keys have shut', async () => {
    expect(await signIn()).toMatchObject({ success: false, code: 'bot_check.unreachable' })
    await app.process.stop()
    expect(await app.command('options', 'set', 'TurnstileCheckEnabled', 'false')).toEqual({
      code: 0,
      output: 'TurnstileCheckEnabled has been set.\n',
    })
    await app.restart()
    expect(await signIn()).toMatchObject({ success: true })
  })

  it('checks as the console does, and says what is wrong', async () => {
    await app.process.stop()
    const set = (...words: string[]) => commandWithin(app.env, (print) => setOption(words, print))
    expect(await set('RetryTimes', 'many')).toMatchObject({
      code: 1,
      output: expect.stringContaining('RetryTimes'),
    })
    expect(await set('NoSuchOption', '1')).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no option "NoSuchOption"'),
    })
    expect(await set('GitHubOAuthEnabled', 'true')).toMatchObject({
      code: 1,
      output: expect.stringContaining('GitHubClientId'),
    })
    expect(await set('RetryTimes')).toMatchObject({ code: 2 })
  })
})

describe('tollgate options history', () => {
  it('tells who changed an option and from where, and of a secret no more than that', async () => {
    const history = (...keys: string[]) =>
      commandWithin(app.env, (print) => printOptionHistory(keys, print))
    const { code, output } = await app.command('options', 'history', 'TurnstileCheckEnabled')
    expect(code).toBe(0)
    const [last, first] = output.trim().split('\n')
    expect(last).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z {2}terminal {2}"true" -> "false"$/)
    expect(first).toMatch(/ root \(#1, loopback\) {2}"false" -> "true"$/)
    expect((await history('TurnstileSecretKey')).output).toMatch(/a secret was changed\n$/)
    expect((await history('RetryTimes')).output).toBe('No change of RetryTimes is recorded.\n')
    expect((await history()).code).toBe(2)
  })
})
