/** Appends a path to a base URL that may have a path of its own. Providers' documents name addresses that end in the version
 *  (`…/compatible-mode/v1`, `…/api/coding/v3`): it is not repeated, nor what stands before it in the path. */
export function joinUrl(baseUrl: string, path: string): string {
  if (/^(?:https?|wss?):\/\//.test(path)) return path
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const segments = path.split('/')
  const at = segments.findIndex((segment) => /^v\d+(?:beta\d*|alpha)?$/.test(segment))
  const hasMore = at >= 0 && at < segments.length - 1
  return hasMore && base.endsWith(`/${segments[at]}`)
    ? `${base}/${segments.slice(at + 1).join('/')}`
    : base + path
}
