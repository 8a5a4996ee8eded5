import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { OriginPool } from './origin-pool.ts'

/** When the socket says that a request was taken whole. */
type WhenRead = (done: () => void) => void

/** A server at the other end, and the time after which the silent connection is closed. */
class FakeSocket extends Duplex {
  restsMs = -1
  readonly #headers: string
  readonly #whenRead: WhenRead

  constructor(headers: string, whenRead: WhenRead) {
    super()
    this.#headers = headers
    this.#whenRead = whenRead
  }

  override _read(): void {}

  override _write(_bytes: Buffer, _encoding: string, done: () => void): void {
    process.nextTick(() =>
      this.push(`HTTP/1.1 200 OK\r\n${this.#headers}content-length: 2\r\n\r\nok`),
    )
    this.#whenRead(done)
  }

  setTimeout(ms: number): void {
    this.restsMs = ms
  }

  ref(): void {}
  unref(): void {}
}

function poolOf(isSecure: boolean, headers = '', whenRead: WhenRead = (done) => done()) {
  const sockets: FakeSocket[] = []
  const open = () => {
    const socket = new FakeSocket(headers, whenRead)
    sockets.push(socket)
    return Promise.resolve(socket as never)
  }
  return { pool: new OriginPool(open, isSecure), sockets }
}

/** The connections after so many requests at one time. */
async function restingOf(isSecure: boolean, headers = '', count = 1): Promise<FakeSocket[]> {
  const { pool, sockets } = poolOf(isSecure, headers)
  const answers = Array.from({ length: count }, () => answered(pool))
  await Promise.all(answers)
  return sockets
}

function answered(pool: OriginPool): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = {
      method: 'POST',
      path: '/',
      host: 'upstream',
      headers: {},
      body: '{}',
      headTimeoutMs: 1_000_000,
      idleTimeoutMs: 1_000_000,
      unreadTimeoutMs: 0,
    }
    pool.send(request, {
      onConnection: () => true,
      onConnectionLost: () => undefined,
      onHead: () => undefined,
      onData: () => undefined,
      onEnd: resolve,
      onFailure: reject,
    })
  })
}

const onlyRest = async (isSecure: boolean, headers?: string) =>
  (await restingOf(isSecure, headers))[0]?.restsMs

describe('a connection without a request rests', () => {
  it('for most of a minute through TLS, which is dear to begin', async () => {
    expect(await onlyRest(true)).toBe(55_000)
  })

  it('for less than the five seconds of a server of Python or Node otherwise', async () => {
    expect(await onlyRest(false)).toBe(4_000)
  })

  it.each([true, false])('for as long as its server says, TLS or not (%s)', async (isSecure) => {
    expect(await onlyRest(isSecure, 'keep-alive: timeout=5\r\n')).toBe(4_000)
    expect(await onlyRest(isSecure, 'keep-alive: timeout=20, max=9\r\n')).toBe(19_000)
    expect(await onlyRest(isSecure, 'keep-alive: timeout=600\r\n')).toBe(55_000)
  })

  it('for a short time where many rest already', async () => {
    const sockets = await restingOf(true, '', 70)
    const times = sockets.map(({ restsMs }) => restsMs)
    expect(times.filter((ms) => ms === 55_000)).toHaveLength(64)
    expect(times.filter((ms) => ms === 4_000)).toHaveLength(6)
  })

  it('no moment where its server is about to close it', async () => {
    const [socket] = await restingOf(true, 'keep-alive: timeout=1\r\n')
    if (socket && !socket.destroyed) await once(socket, 'close')
    expect(socket?.destroyed).toBe(true)
  })
})

it('a connection that is always in use is left after some minutes, as its host may have another address', async () => {
  const { pool, sockets } = poolOf(true)
  const clock = vi.spyOn(performance, 'now')
  const beganMs = performance.now()
  for (const minutes of [0, 1, 2, 3.9]) {
    clock.mockReturnValue(beganMs + minutes * 60_000)
    await answered(pool)
  }
  expect(sockets).toHaveLength(1)
  clock.mockReturnValue(beganMs + 6.1 * 60_000)
  await answered(pool)
  await answered(pool)
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false])
  clock.mockRestore()
})

describe('a connection whose answer comes first', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('serves the next request where Node says a turn later that this one was taken, as it does through TLS', async () => {
    const { pool, sockets } = poolOf(true, '', (done) => setImmediate(done))
    for (let round = 0; round < 3; round += 1) {
      await answered(pool)
      await turn()
    }
    expect(sockets).toHaveLength(1)
  })

  it('is closed where the rest of its request stays in the way', async () => {
    const { pool, sockets } = poolOf(true, '', () => undefined)
    await answered(pool)
    await turn()
    await answered(pool)
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false])
  })
})
