// Codes are worth money: who made them, or changed what they are worth, is recorded. The codes themselves are not.
import { type Caller, logType } from '#core'
import type { Redemption } from './schema.ts'

export type Maker = Pick<Caller, 'id' | 'username'>

/** @param made `quota`: units of each code */
export function madeRow(by: Maker, made: { name: string; quota: number; count: number }) {
  const { name, quota, count } = made
  const content = `Made ${count} redemption codes of ${quota} units: ${name}`
  return rowOf(by, content, { op: 'codes_made', name, count, amount: quota })
}

export function editedRow(by: Maker, { id, name, quota }: Redemption, now: number) {
  const content = `Redemption code ${id} (${name}) changed from ${quota} to ${now} units`
  return rowOf(by, content, { op: 'code_quota', id, name, before: quota, after: now })
}

function rowOf({ id, username }: Maker, content: string, other: object) {
  return { user_id: id, username, type: logType.manage, content, other: JSON.stringify(other) }
}
