import { describe, expect, it } from 'vitest'
import { HostNames, ofAdmins, ofUsers } from './host-names.ts'

const address = { address: '8.8.8.8', family: 4 }
const never = () => new Promise<never>(() => undefined)
const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

describe('a host that was reached before', () => {
  function namesThat(answer: () => Promise<(typeof address)[]>) {
    let isFirst = true
    const names = new HostNames({
      // Over at once, so that the second question is asked.
      rememberDnsMs: Number.MIN_VALUE,
      pause: () => (isFirst ? never() : Promise.resolve()),
      resolve: () => {
        if (!isFirst) return answer()
        return Promise.resolve([address]).finally(() => (isFirst = false))
      },
    })
    return names
  }

  it('is reached at its last addresses while nobody answers for its name', async () => {
    const names = namesThat(never)
    await names.addressesOf('provider.test', 'admin')
    expect(await names.addressesOf('provider.test', 'admin')).toEqual([address])
  })

  it('is reached at its last addresses where the name servers are away', async () => {
    const names = namesThat(failing('EAI_AGAIN'))
    await names.addressesOf('provider.test', 'admin')
    expect(await names.addressesOf('provider.test', 'admin')).toEqual([address])
  })
})

it('forgets the addresses of a name that is gone', async () => {
  let isGone = false
  const names = new HostNames({
    rememberDnsMs: Number.MIN_VALUE,
    pause: never,
    resolve: () => (isGone ? failing('ENOTFOUND')() : Promise.resolve([address])),
  })
  await names.addressesOf('provider.test', 'admin')
  isGone = true
  await expect(names.addressesOf('provider.test', 'admin')).rejects.toMatchObject({
    code: 'ENOTFOUND',
  })
})

it('asks once for a name that is not answered', async () => {
  let questions = 0
  const names = new HostNames({
    rememberDnsMs: 0,
    resolve: () => {
      questions += 1
      return never()
    },
  })
  for (let call = 0; call < 5; call += 1) void names.addressesOf('dead.test', 'admin')
  expect(questions).toBe(1)
})

describe('names of channels that nobody answers', () => {
  it('keep one thread of the system at the most, once that is known', async () => {
    let asked: string[] = []
    let silence: () => Promise<never> = failing('EAI_AGAIN')
    const resolve = ofAdmins(failing('ETIMEOUT'), (hostname) => {
      asked.push(hostname)
      return hostname === 'living.test' ? Promise.resolve([address]) : silence()
    })
    const dead = ['a.test', 'b.test', 'c.test']
    await Promise.allSettled(dead.map(resolve))
    expect(asked).toEqual(dead)
    asked = []
    silence = never
    for (const name of dead) resolve(name).catch(() => undefined)
    expect(await resolve('living.test')).toEqual([address])
    await expect.poll(() => asked).toEqual(['living.test', 'a.test'])
  })

  it('are found as soon as a name server knows them, or the system by itself', async () => {
    let isBack = false
    const back = (isHere: () => boolean) => () =>
      isHere() ? Promise.resolve([address]) : failing('EAI_AGAIN')()
    for (const place of ['name server', 'hosts file']) {
      isBack = false
      const resolve = ofAdmins(
        back(() => isBack && place === 'name server'),
        back(() => isBack && place === 'hosts file'),
      )
      await expect(resolve('a.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
      isBack = true
      expect(await resolve('a.test')).toEqual([address])
    }
  })
})

describe('names that users give', () => {
  it('do not reach the threads of the system when their servers are silent', async () => {
    const asked: string[] = []
    const system = (hostname: string) => {
      asked.push(hostname)
      return never()
    }
    const resolve = ofUsers(failing('ETIMEOUT'), system)
    await expect(resolve('silent.test')).rejects.toMatchObject({ code: 'ETIMEOUT' })
    expect(asked).toEqual([])
  })

  it('are asked of the system where the name servers do not know them', async () => {
    const resolve = ofUsers(failing('ENOTFOUND'), () => Promise.resolve([address]))
    expect(await resolve('of-the-hosts-file.test')).toEqual([address])
  })

  it('take one thread of the system at the most', async () => {
    const asked: string[] = []
    const resolve = ofUsers(failing('ENOTFOUND'), (hostname) => {
      asked.push(hostname)
      return never()
    })
    const { promise, resolve: refusedOne } = Promise.withResolvers<unknown>()
    for (let index = 0; index < 150; index += 1) resolve(`n${index}.test`).catch(refusedOne)
    expect(await promise).toMatchObject({ code: 'EAI_AGAIN' })
    expect(asked).toEqual(['n0.test'])
  })

  it('are not answered with what an admin was told', async () => {
    const names = new HostNames({
      resolve: () => Promise.resolve([address]),
      resolveOfUsers: failing('ENOTFOUND'),
    })
    await names.addressesOf('inner.test', 'admin')
    await expect(names.addressesOf('inner.test', 'user')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    })
  })
})
