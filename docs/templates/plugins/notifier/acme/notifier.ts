import type { Notifier, PluginServices } from 'tollgate/contract'

/** Placeholders of the content, `{{value}}`, stand for `values` in their order. */
export function textOf({ title, content, values }: Parameters<Notifier['send']>[0]): string {
  const rest = [...values]
  const filled = content.replaceAll('{{value}}', () => rest.shift() ?? '')
  return `${title}\n${filled}`
}

export function notifier({ options, fetch }: Pick<PluginServices, 'options' | 'fetch'>): Notifier {
  return {
    id: 'acme',
    // Title and content are written in the language of the person already.
    async send(message) {
      const address = options.get<string>('AcmeAddress')
      if (address === '') throw new Error('Acme has no address: set it on the settings page')
      const { status } = await fetch({
        method: 'POST',
        url: `${address}/messages`,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${options.get<string>('AcmeSecret')}`,
        },
        body: JSON.stringify({ user: message.to.userId, text: textOf(message) }),
      })
      if (status < 200 || status > 299) throw new Error(`Acme answered with status ${status}`)
    },
  }
}
