import { describe, expect, it } from 'vitest'
import { type ClientConnection, refusePooler } from './pooler.ts'

/** Server processes that are lent for as long as `lends` says; the one that came back last, or first, is the next. */
class Pooler {
  readonly #free: number[] = []
  readonly #takesOldest: boolean
  #last = 0

  constructor({ warm = 0, takesOldest = false } = {}) {
    this.#takesOldest = takesOldest
    for (let count = 0; count < warm; count += 1) this.#free.push(++this.#last)
  }

  client(): ClientConnection {
    return {
      backend: () => this.#lent((backend) => Promise.resolve(backend)),
      holding: (work) => this.#lent(work),
    }
  }

  async #lent<T>(work: (backend: number) => Promise<T>): Promise<T> {
    const free = this.#takesOldest ? this.#free.shift() : this.#free.pop()
    const backend = free ?? ++this.#last
    try {
      return await work(backend)
    } finally {
      this.#free.push(backend)
    }
  }
}

const session = (backend: number): ClientConnection => ({
  backend: () => Promise.resolve(backend),
  holding: (work) => work(backend),
})

describe('two connections', () => {
  it.each([{}, { warm: 1 }, { warm: 3 }, { warm: 3, takesOldest: true }])(
    'through a pooler in transaction mode are refused (%o)',
    async (how) => {
      const pooler = new Pooler(how)
      await expect(refusePooler(pooler.client(), pooler.client())).rejects.toThrow('session mode')
    },
  )

  it('with a server process each are taken', async () => {
    await expect(refusePooler(session(7), session(8))).resolves.toBeUndefined()
  })
})
