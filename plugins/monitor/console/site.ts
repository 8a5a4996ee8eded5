/** The address of a page, of another site or a path of this one; undefined for everything that is none, `javascript:` included. */
export function siteOf(link: unknown): string | undefined {
  const address = typeof link === 'string' ? link.trim() : ''
  return /^https?:\/\/\S+$/i.test(address) || isOwnPath(address) ? address : undefined
}

/** What stands beside the console under the same name, such as `/status`; the option takes it, too. */
export function isOwnPath(address: string): boolean {
  return /^\/(?!\/)\S*$/.test(address)
}
