/** The type of a body with its parameters, in lower case, because the case has no meaning (RFC 9110, section 8.3.1).
 *  Empty if there is none. */
export function mediaTypeOf(headers: { readonly 'content-type'?: string | undefined }): string {
  return (headers['content-type'] ?? '').toLowerCase()
}

/** The same without its parameters. */
export function plainTypeOf(headers: Parameters<typeof mediaTypeOf>[0]): string {
  return (mediaTypeOf(headers).split(';', 1)[0] ?? '').trim()
}
