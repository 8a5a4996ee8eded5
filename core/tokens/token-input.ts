import { splitList } from '../contract/comma-list.ts'
import { requireSeen } from '../contract/seen-text.ts'
import type { TokenInput } from '../contract/services.ts'
import { isAddressOrRange, readAddressList } from './address-list.ts'
import type { TokenFields, TokenRow } from '../data/models/token.ts'
import { changedField } from '../kernel/changed-field.ts'
import {
  tokenAddressInvalid,
  tokenChanged,
  tokenExpiryInvalid,
  tokenNameTooLong,
  tokenQuotaInvalid,
} from './token-errors.ts'

const maxNameLength = 30

/** The fields that an owner may set, checked and complete: what is absent gets its empty value.
 *  `stored` is the present row: a remainder below zero (a call cost more than it reserved) may be sent back as it is.
 *  @throws token.name_too_long, request.unseen_character, token.expiry_invalid, token.quota_invalid, token.address_invalid */
export function readTokenInput(input: TokenInput, stored?: { remain_quota: number }): TokenFields {
  return {
    name: readName(input.name ?? ''),
    expired_time: readExpiry(input.expired_time ?? 0),
    remain_quota: readQuota(input.remain_quota ?? 0, stored?.remain_quota),
    unlimited_quota: input.unlimited_quota ?? false,
    model_limits_enabled: input.model_limits_enabled ?? false,
    model_limits: readModels(input.model_limits ?? ''),
    allow_ips: readAddresses(input.allow_ips ?? ''),
    group: (input.group ?? '').trim(),
  }
}

/** An edit overwrites every field, so it would undo what was changed elsewhere since the page was read.
 *  @throws token.changed */
export function refuseChanged(row: TokenRow, shown: Readonly<Record<string, unknown>> = {}): void {
  const current: ReadonlyMap<string, unknown> = new Map(Object.entries(row))
  const field = changedField(shown, (name) => String(current.get(name)))
  if (field !== undefined) throw tokenChanged({ field }, { field })
}

function readName(name: string): string {
  if (Array.from(name).length > maxNameLength)
    throw tokenNameTooLong({ max: maxNameLength }, { field: 'name' })
  return requireSeen(name, 'name')
}

/** Forms send 0 for "not given"; nobody means the year 1970. */
function readExpiry(seconds: number): number {
  if (seconds === 0 || seconds === -1) return -1
  if (!Number.isSafeInteger(seconds) || seconds < 0) {
    throw tokenExpiryInvalid({}, { field: 'expired_time' })
  }
  return seconds
}

function readQuota(units: number, stored: number | undefined): number {
  if (units === stored) return units
  if (!Number.isSafeInteger(units) || units < 0) {
    throw tokenQuotaInvalid({}, { field: 'remain_quota' })
  }
  return units
}

function readModels(list: string): string {
  return splitList(list).join(',')
}

/** If no line can be read as an address, the list would otherwise allow every address. */
function readAddresses(text: string): string {
  const entries = readAddressList(text)
  const wrong = entries.find((entry) => !isAddressOrRange(entry))
  if (wrong !== undefined) {
    throw tokenAddressInvalid({ entry: wrong.slice(0, 60) }, { field: 'allow_ips' })
  }
  return entries.join('\n')
}
