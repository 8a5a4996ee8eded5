/** An address of DashScope's own API, from either of the addresses that its documents name. */
export function nativeUrl(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/(?:compatible-mode|api)\/v1$/, '')}/api/v1${path}`
}
