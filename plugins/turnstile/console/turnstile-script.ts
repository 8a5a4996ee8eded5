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
let loading: Promise<void> | undefined

/** Cloudflare's script, once a page. */
export async function loadWidget(): Promise<Widget> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loading = undefined
      script.remove()
      reject(new Error(address))
    })
    document.head.append(script)
  })
  await loading
  const { turnstile } = window as Window & { turnstile?: Widget }
  if (!turnstile) throw new Error(address)
  return turnstile
}
