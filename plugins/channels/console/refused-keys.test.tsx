import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { ConfirmHost } from '../../../console/kit/confirm.tsx'
import type { Channel } from './channel.ts'
import { RefusedKeys } from './refused-keys.tsx'

const dead = (...positions: number[]) =>
  positions.map((position) => ({
    position,
    reason: `no money for ${position}`,
    time: 1_700_000_000,
  }))
const channelWith = (...positions: number[]) =>
  ({
    id: 7,
    name: 'main',
    other_info:
      positions.length > 0 ? JSON.stringify({ keys: 5, dead_keys: dead(...positions) }) : '',
  }) as Channel

const { other_info: shown } = channelWith(2, 4)

let calls: [path: string, body: unknown][]
let answer: Channel
let refusal: object | undefined

beforeEach(() => {
  calls = []
  refusal = undefined
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const body = init.body === undefined ? undefined : JSON.parse(init.body as string)
    calls.push([new URL(address, 'http://console.test').pathname, body])
    if (body && refusal) return Response.json(refusal)
    return Response.json({ success: true, message: '', data: answer })
  })
  return () => vi.unstubAllGlobals()
})

function open() {
  const [onClose, onChanged] = [vi.fn(), vi.fn(async () => {})]
  render(
    <>
      <RefusedKeys channel={channelWith(2, 4)} onClose={onClose} onChanged={onChanged} />
      <ConfirmHost />
    </>,
  )
  return { onClose, onChanged }
}

it('uses one key again and goes on with the others', async () => {
  answer = channelWith(4)
  const { onClose, onChanged } = open()
  expect(screen.getByText('no money for 2')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Use again: Key 2' }))
  await waitFor(() => expect(screen.queryByText('no money for 2')).toBeNull())
  expect(onChanged).toHaveBeenCalled()
  expect(calls).toEqual([['/api/channel/7/keys/enable', { positions: [2], shown }]])
  expect(screen.getByText('no money for 4')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})

it('asks before it removes, and closes when none is left', async () => {
  answer = channelWith()
  const { onClose } = open()
  fireEvent.click(screen.getByRole('button', { name: 'Remove all' }))
  await screen.findByText('Remove 2 keys?')
  expect(calls).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(calls).toEqual([['/api/channel/7/keys/remove', { positions: [2, 4], shown }]])
})

it('shows what is refused now where somebody else was first', async () => {
  refusal = { success: false, code: 'channel.changed', message: 'changed elsewhere' }
  answer = channelWith(3)
  const { onChanged } = open()
  fireEvent.click(screen.getByRole('button', { name: 'Use again: Key 2' }))
  await screen.findByText('no money for 3')
  expect(screen.queryByText('no money for 2')).toBeNull()
  expect(onChanged).toHaveBeenCalled()
})
