import { afterEach, expect, it } from 'vitest'
import { hashes } from '../../test/harness/run/quick-argon2.ts'
import { hashPassword, isBusy, verifyAgainstNobody, verifyPassword } from './passwords.ts'

afterEach(() => {
  hashes.areFull = false
})

it('makes hashes of the cost that OWASP recommends, which the other tests are spared', async () => {
  expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=512,t=1,p=1\$/)
  hashes.areFull = true
  const full = await hashPassword('correct horse')
  expect(full).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword('correct horse', full)).toBe(true)
})

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
