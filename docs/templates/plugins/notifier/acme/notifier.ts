import type { Notifier, PluginServices } from 'tollgate/contract'

/** Placeholders of the content, `{{value}}`, stand for `values` in their order. */
export function textOf({ title, content, values }: Parameters<Notifier['send']>[0]): string {
  const rest = [...values]
  const filled = content.replaceAll('{{value}}', () => rest.shift() ?? '')
  return `${title}\n${filled}`
}

interface Way {
  address: string
  secret: string
}

export function notifier({ options, fetch }: Pick<PluginServices, 'options' | 'fetch'>): Notifier {
  return {
    id: 'acme',
    // What users choose it by on their page.
    name: { en: 'Acme', zh: 'Acme' },
    // Title and content are written in the language of the person already.
    async send(message) {
      const way = {
        address: options.get<string>('AcmeAddress'),
        secret: options.get<string>('AcmeSecret'),
      }
      if (way.address === '') throw new Error('Acme has no address: set it on the settings page')
      const status = await post(fetch, way, { user: message.to.userId, text: textOf(message) })
      if (status < 200 || status > 299) throw new Error(`Acme answered with status ${status}`)
    },
  }
}

/** @returns the status of the answer */
export async function post(
  fetch: PluginServices['fetch'],
  { address, secret }: Way,
  body: { user: number; text: string },
): Promise<number> {
  const { status } = await fetch({
    method: 'POST',
    url: `${address}/messages`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  })
  return status
}
