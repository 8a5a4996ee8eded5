import { describe, expect, it, vi } from 'vitest'
import { createEventBus } from './event-bus.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

describe('the event bus', () => {
  it('calls everybody who listens, and nobody who has left', () => {
    const events = createEventBus(silent)
    const received: string[] = []
    const leave = events.on(
      'token.exhausted',
      ({ tokenId }) => void received.push(`one ${tokenId}`),
    )
    events.on('token.exhausted', ({ tokenId }) => void received.push(`two ${tokenId}`))
    events.emit('token.exhausted', { tokenId: 1 })
    leave()
    leave()
    events.emit('token.exhausted', { tokenId: 2 })
    expect(received).toEqual(['one 1', 'two 1', 'two 2'])
    expect(events.listenerCount()).toBe(1)
  })

  it('calls a function twice that listens twice', () => {
    const events = createEventBus(silent)
    let calls = 0
    const count = () => void (calls += 1)
    const leave = events.on('token.exhausted', count)
    events.on('token.exhausted', count)
    events.emit('token.exhausted', { tokenId: 1 })
    leave()
    events.emit('token.exhausted', { tokenId: 1 })
    expect(calls).toBe(3)
  })

  it('ends although each listener brings another', () => {
    const events = createEventBus(silent)
    let calls = 0
    const count = () => {
      calls += 1
      events.on('token.exhausted', count)
    }
    events.on('token.exhausted', count)
    events.emit('token.exhausted', { tokenId: 1 })
    events.emit('token.exhausted', { tokenId: 1 })
    expect(calls).toBe(3)
  })

  it('names the owner of a listener that throws or rejects, and calls the others', async () => {
    const blamed: object[] = []
    const events = createEventBus({ ...silent, error: (facts: object) => void blamed.push(facts) })
    let calls = 0
    events.on('token.exhausted', () => Promise.reject(new Error('later')), 'late')
    const fail = () => {
      throw new Error('now')
    }
    events.on('token.exhausted', fail, 'bad')
    events.on('token.exhausted', () => void (calls += 1))
    events.emit('token.exhausted', { tokenId: 1 })
    await Promise.resolve()
    expect(calls).toBe(1)
    expect(blamed).toMatchObject([
      { plugin: 'bad', event: 'token.exhausted' },
      { plugin: 'late', event: 'token.exhausted' },
    ])
  })

  it('lets a hundred thousand listeners go one by one', () => {
    const events = createEventBus(silent)
    const leaving = Array.from({ length: 100_000 }, () => events.on('relay.settled', () => {}))
    for (const leave of leaving) leave()
    expect(events.listenerCount()).toBe(0)
  })
})

it('names the plugin that sent what a listener could not take', () => {
  const error = vi.fn()
  const bus = createEventBus({ ...silent, error })
  bus.on('token.exhausted', ({ tokenId }) => void tokenId, 'tokens')
  bus.emit('token.exhausted', undefined as never, 'acme')
  expect(error).toHaveBeenCalledWith(
    expect.objectContaining({ plugin: 'tokens', sentBy: 'acme' }),
    'an event listener failed',
  )
})
