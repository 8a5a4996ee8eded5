import { loadScript } from '#console'

interface Widget {
  render(
    place: HTMLElement,
    options: {
      sitekey: string
      theme: 'light' | 'dark'
      language: string
      callback(token: string): void
      'expired-callback'(): void
      'error-callback'(code: string): boolean
    },
  ): string
  remove(id: string): void
}

const address = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

/** Loads Cloudflare's script once per page. */
export async function loadWidget(): Promise<Widget> {
  await loadScript(address)
  const { turnstile } = window as Window & { turnstile?: Widget }
  if (!turnstile) throw new Error(address)
  return turnstile
}
