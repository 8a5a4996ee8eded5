// Sign-in while a hundred networks guess at the same name.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, type PluginApp } from '#test'
import authPassword from './index.ts'

const password = 'correct horse'

describe('sign-in under attack', () => {
  let app: PluginApp
  let attackers = 0
  const attack: Promise<unknown>[] = []
  let moveOn = () => undefined as void
  /** Nobody in a line gets his turn before the end. */
  const standing = new Promise<void>((resolve) => {
    moveOn = resolve
  })

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [authPassword], guessPause: () => standing })
  })
  afterAll(async () => {
    moveOn()
    await Promise.all(attack)
    await app.close()
  })

  const signIn = async (
    remoteAddress: string,
    { username, secret = password, cookie = '' }: Partial<Record<string, string>>,
  ) => {
    const response = await app.app.inject({
      method: 'POST',
      url: '/api/user/login',
      remoteAddress,
      headers: cookie === '' ? {} : { cookie },
      payload: { username, password: secret },
    })
    const { success, code = '' } = response.json<{ success: boolean; code?: string }>()
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    const device = cookies.find((line) => line.startsWith('device='))?.split(';', 1)[0] ?? ''
    return { answer: success ? 'right' : code, device }
  }

  const nextNetwork = () => {
    attackers += 1
    return `10.${attackers >> 16}.${(attackers >> 8) & 255}.${attackers & 255}`
  }

  /** Each guess from a network that was never seen before; resolves when the line is full. */
  const guessAt = async (username: string) => {
    const guess = async () =>
      (await signIn(nextNetwork(), { username, secret: 'wrong password' })).answer
    let refused = 0
    const answers = Array.from({ length: 100 }, async () => {
      const answer = await guess()
      if (answer === 'guesses.too_many') refused += 1
      return answer
    })
    attack.push(...answers)
    await expect.poll(() => refused).toBeGreaterThanOrEqual(30)
  }

  it('lets the owner in at the first try where he has signed in before, and nobody else', async () => {
    const { id } = await app.accounts.create({ password, username: 'ada', by: 'admin' })
    await app.accounts.create({ password, username: 'eve', by: 'admin' })
    const { device } = await signIn('192.0.2.1', { username: 'ada' })
    const { device: strange } = await signIn('192.0.2.2', { username: 'eve' })
    const { device: lost } = await signIn('192.0.2.3', { username: 'ada' })
    await app.accounts.endSessions(id)
    const known = await signIn('192.0.2.1', { username: 'ada', cookie: device })
    expect(known.answer).toBe('right')
    await app.database.run('DELETE FROM sessions')
    await Promise.all([guessAt('ada'), guessAt('nobody')])

    // The line is full: without the cookie, with a foreign one or a revoked one, a newcomer draws lots with the rest.
    const strangers = await Promise.all(
      ['', strange, lost].flatMap((cookie) =>
        ['ada', 'nobody'].map(async (username) => {
          const tries = Array.from({ length: 21 }, () =>
            signIn(nextNetwork(), { username, cookie, secret: 'wrong password' }),
          )
          attack.push(...tries)
          return (await Promise.race(tries)).answer
        }),
      ),
    )
    expect(new Set(strangers)).toEqual(new Set(['guesses.too_many']))

    for (const secret of ['wrong password', 'wrong again'])
      expect(
        await signIn('198.51.100.1', { username: 'ada', cookie: known.device, secret }),
      ).toMatchObject({ answer: 'sign_in.refused', device: '' })
    const owner = await signIn('198.51.100.2', { username: 'ada', cookie: known.device })
    expect(owner.answer).toBe('right')
  })

  it('bounds one network under both names, without telling that they are of one account', async () => {
    const email = 'dee@example.com'
    await app.accounts.create({ password, username: 'dee', email, by: 'admin' })
    const from = '203.0.113.7'
    const ask = (username: string, secret = 'wrong password') => signIn(from, { username, secret })
    for (let tries = 0; tries < 10; tries += 1)
      expect(await ask('dee')).toMatchObject({ answer: 'sign_in.refused' })
    // The same for an address of nobody, of somebody else, and of this account, whose right password is not judged.
    for (const username of ['nobody@example.com', 'ada@example.com', email])
      expect(await ask(username)).toMatchObject({ answer: 'sign_in.refused' })
    expect(await ask(email, password)).toMatchObject({ answer: 'sign_in.refused' })
    expect(await ask('dee')).toMatchObject({ answer: 'guesses.too_many' })
    expect(await signIn('203.0.113.8', { username: email })).toMatchObject({ answer: 'right' })
  })

  it('bounds the guesses of whoever stole the cookie, under all names of the account', async () => {
    const email = 'bob@example.com'
    await app.accounts.create({ password, username: 'bob', email, by: 'admin' })
    const { device } = await signIn('192.0.2.1', { username: 'bob' })
    await guessAt('bob')
    await guessAt(email)
    const answers: string[] = []
    for (let tries = 0; tries < 10; tries += 1) {
      const username = tries % 2 === 0 ? 'bob' : email
      const thief = { username, cookie: device, secret: 'wrong password' }
      answers.push((await signIn(nextNetwork(), thief)).answer)
    }
    expect(new Set(answers)).toEqual(new Set(['sign_in.refused']))
    const more = Array.from({ length: 21 }, () =>
      signIn(nextNetwork(), { username: 'bob', cookie: device, secret: 'wrong password' }),
    )
    expect((await Promise.race(more)).answer).toBe('guesses.too_many')
    attack.push(...more)
  })

  it('checks the password of a known browser while strangers guess at many names', async () => {
    await app.accounts.create({ username: 'kim', password, by: 'admin' })
    const { device } = await signIn('192.0.2.1', { username: 'kim' })
    let isOver = false
    let judged = Promise.withResolvers<void>()
    const seen = new Set<string>()
    // Whoever finds no place comes again when one is free: all at once again would keep the machine busy with refusals.
    const strangers = Array.from({ length: 110 }, async () => {
      while (!isOver) {
        const address = nextNetwork()
        const { answer } = await signIn(address, { username: `name ${address}`, secret: 'guess' })
        seen.add(answer)
        if (answer === 'account.busy') await judged.promise
        else {
          judged.resolve()
          judged = Promise.withResolvers()
        }
      }
    })
    await expect.poll(() => [...seen]).toContain('account.busy')
    let owner = { answer: '', device }
    const answers: string[] = []
    for (let tries = 0; tries < 3; tries += 1) {
      // Each sign-in gives the browser a new cookie.
      owner = await signIn(nextNetwork(), { username: 'kim', cookie: owner.device })
      answers.push(owner.answer)
    }
    isOver = true
    await Promise.all(strangers)
    expect(answers).toEqual(['right', 'right', 'right'])
  })
})
