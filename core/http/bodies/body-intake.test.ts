import { expect, it } from 'vitest'
import { BodyIntake, type OpenBody } from './body-intake.ts'

const MIB = 1_048_576

function room(mib: number) {
  const intake = new BodyIntake({ limitBytes: mib * MIB, slowSeconds: 30 })
  const bodies: OpenBody[] = []
  /** @returns the code of the refusal, after which the body is given up */
  const send = (sender: string, bytes: number): string | undefined => {
    const body = intake.open(sender)
    for (let came = 0; came < bytes; came += 65_536) {
      const fault = body.take(Math.min(65_536, bytes - came))
      if (fault === undefined) continue
      body.close()
      return (fault as { code?: string }).code
    }
    bodies.push(body)
    return undefined
  }
  const closeAll = () => {
    for (const body of bodies.splice(0)) body.close()
  }
  return { intake, send, closeAll }
}

it('leaves room for the next, however much each of those before sends', () => {
  const { intake, send, closeAll } = room(64)
  for (const sender of ['first', 'second', 'third', 'fourth']) {
    expect(send(sender, MIB)).toBeUndefined()
    let refusal: string | undefined
    while (refusal === undefined) refusal = send(sender, MIB)
    expect(refusal).toBe('request.share_full')
  }
  expect(intake.heldBytes).toBeLessThan(62 * MIB)
  closeAll()
  expect(intake.heldBytes).toBe(0)
  expect(send('first', 32 * MIB)).toBeUndefined()
})

it('takes one body that is as large as the room, and what fits beside a large one', () => {
  const { send, closeAll } = room(8)
  expect(send('first', 8 * MIB)).toBeUndefined()
  expect(send('second', MIB)).toBe('server.bodies_full')
  closeAll()
  expect(send('first', 6 * MIB)).toBeUndefined()
  expect(send('first', MIB)).toBe('request.share_full')
  expect(send('second', MIB)).toBeUndefined()
})

it('does not hold up the small bodies of who has a large one in hand, and bounds them alike', () => {
  const { send } = room(8)
  expect(send('first', 6 * MIB)).toBeUndefined()
  let refusal: string | undefined
  let small = 0
  for (; refusal === undefined; small += 1) refusal = send('first', 65_536)
  expect(refusal).toBe('request.share_full')
  expect(small).toBe(17)
  expect(send('second', 65_536)).toBeUndefined()
})
