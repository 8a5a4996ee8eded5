/** Puts a path behind a base URL that may have a path of its own. A base that already ends in the version is not given it twice. */
export function joinUrl(baseUrl: string, path: string): string {
  if (/^(?:https?|wss?):\/\//.test(path)) return path
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const version = /^\/v\d+(?:beta\d*|alpha)?(?=\/)/.exec(path)?.[0]
  return version !== undefined && base.endsWith(version)
    ? base + path.slice(version.length)
    : base + path
}
