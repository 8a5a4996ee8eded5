/** The address of /chat2link: key and server in a fragment, which no server on the way sees. */
export function linkWithSettings(link: string, server: string, key: string): string | undefined {
  if (!/^https?:\/\//i.test(link)) return undefined
  const settings = JSON.stringify({ key: `sk-${key}`, url: server })
  return `${link.replace(/\/+$/, '')}/#/?settings=${encodeURIComponent(settings)}`
}
