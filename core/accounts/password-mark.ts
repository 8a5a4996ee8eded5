import type { SecretService } from '../contract/services.ts'

/** Distinguishes the passwords that an account has had: what was begun with an earlier one ends with it. */
export function passwordMark(secrets: Pick<SecretService, 'lookup'>, hash: string): string {
  return secrets.lookup('code', `password\n${hash}`)
}
