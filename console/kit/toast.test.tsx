import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toast } from './toast.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('a message of work that takes long', () => {
  it('stays until the result takes its place', async () => {
    act(() => toast.running('Testing main', 'test:1'))
    await later(60_000)
    expect(screen.getByText('Testing main')).toBeTruthy()
    act(() => toast.success('main works', 'test:1'))
    await later(0)
    expect(screen.queryByText('Testing main')).toBeNull()
    expect(screen.getByText('main works')).toBeTruthy()
  })
})
