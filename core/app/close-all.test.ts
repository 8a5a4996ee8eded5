import { describe, expect, it } from 'vitest'
import { closeAll } from './close-all.ts'

function closers(...failing: string[]) {
  const closed: string[] = []
  const of = (name: string) => async () => {
    closed.push(name)
    await Promise.resolve()
    if (failing.includes(name)) throw new Error(`${name} hangs`)
  }
  return { closed, all: ['jobs', 'ledger', 'database'].map(of) }
}

describe('closing several things', () => {
  it('closes them in their order', async () => {
    const { closed, all } = closers()
    await closeAll(all)
    expect(closed).toEqual(['jobs', 'ledger', 'database'])
  })

  it('closes the rest after one that failed, and throws its error', async () => {
    const { closed, all } = closers('jobs')
    await expect(closeAll(all)).rejects.toThrow('jobs hangs')
    expect(closed).toEqual(['jobs', 'ledger', 'database'])
  })

  it('throws the errors of all that failed', async () => {
    const { all } = closers('jobs', 'database')
    const error = await closeAll(all).catch((thrown: unknown) => thrown)
    expect((error as AggregateError).errors).toMatchObject([
      { message: 'jobs hangs' },
      { message: 'database hangs' },
    ])
  })
})
