import type { SecretService } from '../../contract/services.ts'

/** How what SecretService.encrypt gives begins. */
export const SEALED = 'v1:'

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
