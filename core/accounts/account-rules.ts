import { nameLength, passwordLength } from '../contract/constants.ts'
import { requireSeen } from '../contract/seen-text.ts'
import {
  invalidDisplayName,
  invalidUsername,
  passwordTooLong,
  passwordTooShort,
  unseenCharacter,
} from './account-errors.ts'

/** Includes characters without width: with one of them, a name looks like somebody else's. */
export const UNSEEN_CHARACTERS = /[\p{Cc}\p{Cf}]/u

/** The text with `sign` in place of each such character. */
export function withoutUnseen(text: string, sign: '' | ' '): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, sign)
}

/** Trims the name and normalises it (composition, width), so that names which look the same are the same. `@` is
 *  refused, because a name that equals somebody's address would be ambiguous at sign-in.
 *  @throws account.invalid_username */
export function readUsername(text: string): string {
  const username = nameForm(text)
  const length = lengthOf(username)
  const isValid = length >= 1 && length <= nameLength.max && !username.includes('@')
  if (!isValid) throw invalidUsername({ max: nameLength.max }, { field: 'username' })
  if (UNSEEN_CHARACTERS.test(username)) throw unseenCharacter({}, { field: 'username' })
  return username
}

/** The form in which names are stored and compared. */
export function nameForm(text: string): string {
  return text.normalize('NFKC').trim()
}

/** @throws account.invalid_display_name, request.unseen_character */
export function readDisplayName(text: string): string {
  const name = requireSeen(text.trim(), 'display_name')
  if (lengthOf(name) <= nameLength.max) return name
  throw invalidDisplayName({ max: nameLength.max }, { field: 'display_name' })
}

/** @throws account.invalid_password */
export function checkNewPassword(password: string): void {
  const length = lengthOf(password)
  const { min, max } = passwordLength
  if (length < min) throw passwordTooShort({ min }, { field: 'password' })
  if (length > max) throw passwordTooLong({ max }, { field: 'password' })
}

/** Counts code points, so that a Chinese name has as many characters as it shows. */
function lengthOf(text: string): number {
  return Array.from(text).length
}
