import type { RawFailure } from '../../contract/errors.ts'

/** Google answers a bad API key with 400. Its message begins so; further behind it may repeat what a caller has sent. */
export function isGoogleKeyRefused({ message }: Pick<RawFailure, 'message'>): boolean {
  return /^api key (?:not valid|expired)/i.test(message)
}
