/** The address of a page, of another site or a path of this one; undefined for everything that is none, `javascript:` included. */
export function siteOf(link: unknown): string | undefined {
  const address = typeof link === 'string' ? link.trim() : ''
  return /^https?:\/\/\S+$/i.test(address) || isOwnPath(address) ? address : undefined
}

/** A page of the same site beside the console, such as `/status`. The option accepts its path. */
export function isOwnPath(address: string): boolean {
  return /^\/(?!\/)\S*$/.test(address)
}
