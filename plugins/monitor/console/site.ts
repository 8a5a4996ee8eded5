/** The address of a page; undefined for everything that is none, `javascript:` included. */
export function siteOf(link: unknown): string | undefined {
  return typeof link === 'string' && /^https?:\/\/\S+$/i.test(link.trim()) ? link.trim() : undefined
}
