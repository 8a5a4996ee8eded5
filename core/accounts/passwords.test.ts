import { expect, it } from 'vitest'
import { hashPassword, isBusy, verifyAgainstNobody, verifyPassword } from './passwords.ts'

it('answers for unknown names again after a time when all places were taken', async () => {
  const known = await hashPassword('correct horse')
  const all = Array.from({ length: 102 }, () => hashPassword('stranger'))
  const stranger = verifyPassword('correct horse', known)
  const owner = verifyPassword('correct horse', known, 'device')
  const unknown = verifyAgainstNobody('guess')
  const [refused, found] = await Promise.allSettled([stranger, owner, unknown])
  expect(refused).toMatchObject({ status: 'rejected' })
  expect(refused.status === 'rejected' && isBusy(refused.reason)).toBe(true)
  expect(found).toEqual({ status: 'fulfilled', value: true })
  await Promise.all(all)
  expect(await verifyAgainstNobody('guess')).toBe(false)
})
