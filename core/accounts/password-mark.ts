import type { SecretService } from '../contract/services.ts'

/** Tells one password of an account from the next: what was begun with the one before ends with it. */
export function passwordMark(secrets: Pick<SecretService, 'lookup'>, hash: string): string {
  return secrets.lookup('code', `password\n${hash}`)
}
