import {
  invalidDisplayName,
  invalidUsername,
  passwordTooLong,
  passwordTooShort,
} from './account-errors.ts'

const MAX_USERNAME = 64
const MAX_DISPLAY_NAME = 64
const MIN_PASSWORD = 8
const MAX_PASSWORD = 128
// PostgreSQL stores no NUL, and a line feed in a name spoils every list that shows it.
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/

/** Trimmed. `@` belongs to addresses: a name that equals somebody's address would be ambiguous at sign-in.
 *  @throws account.invalid_username */
export function readUsername(text: string): string {
  const username = text.trim()
  const length = lengthOf(username)
  const isValid = length >= 1 && length <= MAX_USERNAME && !username.includes('@')
  if (isValid && !CONTROL_CHARACTERS.test(username)) return username
  throw invalidUsername({ max: MAX_USERNAME }, { field: 'username' })
}

/** @throws account.invalid_display_name */
export function readDisplayName(text: string): string {
  const name = text.trim()
  if (lengthOf(name) <= MAX_DISPLAY_NAME && !CONTROL_CHARACTERS.test(name)) return name
  throw invalidDisplayName({ max: MAX_DISPLAY_NAME }, { field: 'display_name' })
}

/** @throws account.invalid_password */
export function checkNewPassword(password: string): void {
  const length = lengthOf(password)
  if (length < MIN_PASSWORD) throw passwordTooShort({ min: MIN_PASSWORD }, { field: 'password' })
  if (length > MAX_PASSWORD) throw passwordTooLong({ max: MAX_PASSWORD }, { field: 'password' })
}

/** In code points: a Chinese name counts as many characters as it shows. */
function lengthOf(text: string): number {
  return Array.from(text).length
}
