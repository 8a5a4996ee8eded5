// Codes are worth money: who made them, or changed what they are worth, is recorded. The codes themselves are not.
import { type Caller, manageRow } from '#core'
import type { Redemption } from './schema.ts'

export type Maker = Pick<Caller, 'id' | 'username'>

/** @param made `quota`: units of each code */
export function madeRow(by: Maker, made: { name: string; quota: number; count: number }) {
  const { name, quota, count } = made
  const content = `Made ${count} redemption codes of ${quota} units: ${name}`
  return manageRow(by, content, { op: 'codes_made', name, count, amount: quota })
}

export function editedRow(by: Maker, { id, name, quota }: Redemption, now: number) {
  const content = `Redemption code ${id} (${name}) changed from ${quota} to ${now} units`
  return manageRow(by, content, { op: 'code_quota', id, name, before: quota, after: now })
}
