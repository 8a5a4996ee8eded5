/** Seconds until a call may come again, of the header Retry-After: a number of seconds or a date (RFC 9110, 10.2.3). */
export function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds))
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
