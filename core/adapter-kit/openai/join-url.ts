/** Appends a path to a base URL that may have a path of its own. If the base already ends in the version, it is not repeated. */
export function joinUrl(baseUrl: string, path: string): string {
  if (/^(?:https?|wss?):\/\//.test(path)) return path
  const base = baseUrl.replace(/(?<!\/)\/+$/, '')
  const version = /^\/v\d+(?:beta\d*|alpha)?(?=\/)/.exec(path)?.[0]
  return version !== undefined && base.endsWith(version)
    ? base + path.slice(version.length)
    : base + path
}
