import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/client.ts'
import { useSession } from '../../stores/session.ts'
import { BulkBar } from './bulk-bar.tsx'
import { runForEach } from './run-for-each.ts'

const rows = [1, 2, 3, 4, 5, 6]
const tooMany = (seconds: number) =>
  new ApiError('Too many requests.', 429, 'rate.exceeded', { seconds })

/** Each row of it is done when what is returned is called. */
function show(failing?: number) {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const onDone = vi.fn()
  const work = (row: number) => {
    begun.push(row)
    return new Promise<void>((resolve, reject) => {
      ends.push(row === failing ? () => reject(new Error('no answer')) : resolve)
    })
  }
  const { unmount } = render(
    <BulkBar
      rows={rows}
      actions={[{ label: 'Switch on', runEach: work }]}
      nameOf={String}
      onClear={() => undefined}
      onDone={onDone}
    />,
  )
  return {
    begun,
    onDone,
    unmount,
    end: () => act(async () => ends.forEach((resolve) => resolve())),
  }
}

const mayLeave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

describe('a bulk action', () => {
  afterEach(() => vi.useRealTimers())

  it('begins no further row once it is stopped, and says how many are done', async () => {
    const { begun, onDone, end } = show()
    fireEvent.click(screen.getByRole('button', { name: 'Switch on' }))
    await waitFor(() => expect(begun).toEqual([1, 2, 3, 4]))
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await end()
    expect(await screen.findByText('Stopped: 4 of 6 are done.')).toBeTruthy()
    expect(begun).toHaveLength(4)
    expect(onDone).toHaveBeenCalledOnce()
  })

  it('has the browser ask before the page is left, while it runs', async () => {
    const { begun, end } = show()
    expect(mayLeave()).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Switch on' }))
    await waitFor(() => expect(begun).toHaveLength(4))
    expect(mayLeave()).toBe(false)
    await end()
    await waitFor(() => expect(begun).toHaveLength(6))
    await end()
    await waitFor(() => expect(mayLeave()).toBe(true))
  })

  it('goes on when its table is left, tells how far it is, and then what failed', async () => {
    const { begun, end, unmount } = show(6)
    fireEvent.click(screen.getByRole('button', { name: 'Switch on' }))
    await waitFor(() => expect(begun).toHaveLength(4))
    unmount()
    expect(await screen.findByText('0 of 6 done')).toBeTruthy()
    expect(mayLeave()).toBe(false)
    await end()
    await waitFor(() => expect(begun).toHaveLength(6))
    expect(await screen.findByText('4 of 6 done')).toBeTruthy()
    await end()
    expect(await screen.findByText('1 of 6 failed: 6')).toBeTruthy()
    expect(screen.queryByText('6 of 6 done')).toBeNull()
    expect(mayLeave()).toBe(true)
  })

  it('begins no further row for another user', async () => {
    const { begun, end } = show()
    fireEvent.click(screen.getByRole('button', { name: 'Switch on' }))
    await waitFor(() => expect(begun).toHaveLength(4))
    act(() => useSession.setState({ user: { id: 9, username: 'eve', role: 1, group: 'default' } }))
    await end()
    expect(begun).toHaveLength(4)
  })

  it('waits where the gateway takes no more calls, says so, and leaves no row out', async () => {
    vi.useFakeTimers()
    let taken = 0
    const waits: (number | undefined)[] = []
    const done: number[] = []
    const work = (row: number) => {
      taken += 1
      if (taken > 2 && taken < 5) return Promise.reject(tooMany(30))
      done.push(row)
      return Promise.resolve()
    }
    const run = runForEach(rows, String, work, undefined, {
      onWait: (seconds) => waits.push(seconds),
    })
    await vi.advanceTimersByTimeAsync(1_000)
    const before = taken
    await vi.advanceTimersByTimeAsync(28_000)
    expect(taken).toBe(before)
    expect(waits).toEqual([30])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await run).toEqual([])
    expect(done.toSorted((left, right) => left - right)).toEqual(rows)
    expect(waits).toEqual([30, undefined])
  })

  it('ends at once when it is stopped while it waits', async () => {
    const stopping = new AbortController()
    const run = runForEach(rows, String, () => Promise.reject(tooMany(1_000)), undefined, {
      signal: stopping.signal,
      onWait: () => stopping.abort(),
    })
    expect(await run).toEqual([])
  })
})
