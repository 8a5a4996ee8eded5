import { expect, it } from 'vitest'
import { connectionsThatFit } from './connection-limit.ts'

it('leaves an upstream connection for each client, and some for the process itself', () => {
  expect(connectionsThatFit(1_024)).toBe(448)
  expect(connectionsThatFit(524_288)).toBe(262_080)
  expect(connectionsThatFit(64)).toBe(16)
})
