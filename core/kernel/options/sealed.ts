import type { Logger, SecretService } from '../../contract/services.ts'

/** How what SecretService.encrypt gives begins. */
const SEALED = 'v1:'

/** True for what this gateway has encrypted with the key that it has now. */
export function opens(secrets: SecretService, stored: string): boolean {
  if (!stored.startsWith(SEALED)) return false
  try {
    secrets.decrypt(stored)
    return true
  } catch {
    return false
  }
}

/** The value of a secret option; empty, with a line in the log, if the key of this process cannot decrypt it. */
export function readSealed(
  key: string,
  stored: string,
  { secrets, log }: { secrets: Pick<SecretService, 'decrypt'>; log: Logger },
): string {
  // One that was written before it was known to be a secret.
  if (stored === '' || !stored.startsWith(SEALED)) return stored
  try {
    return secrets.decrypt(stored)
  } catch (error) {
    log.error(
      { err: error, option: key },
      'a secret option cannot be read; was SECRET_KEY changed?',
    )
    return ''
  }
}
