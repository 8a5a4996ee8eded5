import { expect, it } from 'vitest'
import { SharedRun } from './shared-run.ts'

it('never runs twice at once, whenever it is asked for', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const shared = new SharedRun(async () => {
    running += 1
    runs += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
    running -= 1
  })
  const asked = [shared.run(), shared.run()]
  // At each moment between the end of one run and the beginning of the next.
  for (let moment = 0; moment < 50; moment += 1) {
    await Promise.resolve()
    asked.push(shared.run())
  }
  await Promise.all(asked)
  expect(most).toBe(1)
  expect(runs).toBeGreaterThan(2)
})

it('shares the run that follows among all who ask during one', async () => {
  let runs = 0
  const gate = Promise.withResolvers<void>()
  const shared = new SharedRun(() => {
    runs += 1
    return gate.promise
  })
  const asked = [shared.run(), shared.run(), shared.run()]
  gate.resolve()
  await Promise.all(asked)
  expect(runs).toBe(2)
})
