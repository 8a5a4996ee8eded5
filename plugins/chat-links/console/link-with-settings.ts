/** The address for /chat2link. Key and server are in the fragment, which is not sent to any server. */
export function linkWithSettings(link: string, server: string, key: string): string | undefined {
  if (!/^https?:\/\//i.test(link)) return undefined
  const settings = JSON.stringify({ key: `sk-${key}`, url: server })
  return `${link.replace(/\/+$/, '')}/#/?settings=${encodeURIComponent(settings)}`
}
