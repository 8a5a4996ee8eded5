/** The type of a body, with its parameters; its letters mean the same in either case (RFC 9110, section 8.3.1). Empty where none is told. */
export function mediaTypeOf(headers: { readonly 'content-type'?: string | undefined }): string {
  return (headers['content-type'] ?? '').toLowerCase()
}
