import {
  type AuthProvider,
  errorType,
  exchangeCode,
  isObject,
  type PluginServices,
} from 'tollgate/contract'

const unreadable = errorType<{ status: number }>('acme.unreadable', 502, {
  en: 'Acme did not say who you are (HTTP {status}). Try again.',
  zh: 'Acme 未返回用户信息（HTTP {status}），请重试。',
})

export function provider({
  options,
  fetch,
}: Pick<PluginServices, 'options' | 'fetch'>): AuthProvider {
  const option = (key: string) => options.get<string>(key)
  return {
    // The callback page to enter at the provider is <address of the gateway>/oauth/acme.
    id: 'acme',
    kind: 'redirect',
    name: { en: 'Acme', zh: 'Acme' },
    isEnabled: () => options.get('AcmeEnabled'),
    // The address is an option: people of another one are others, even where their numbers are the same.
    issuer: { configured: () => option('AcmeAddress') },
    authorizeUrl: ({ state, redirectUri, codeChallenge }) =>
      `${option('AcmeAddress')}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: option('AcmeClientId'),
        redirect_uri: redirectUri,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).toString()}`,
    async identify({ code, redirectUri, codeVerifier }) {
      const token = await exchangeCode(fetch, {
        url: `${option('AcmeAddress')}/token`,
        clientId: option('AcmeClientId'),
        clientSecret: option('AcmeClientSecret'),
        code,
        redirectUri,
        codeVerifier,
      })
      const { status, body } = await fetch({
        method: 'GET',
        url: `${option('AcmeAddress')}/user`,
        headers: { authorization: `Bearer ${token}` },
      })
      // What comes from outside is unknown until you have looked.
      if (status !== 200 || !isObject(body) || typeof body['id'] !== 'number')
        throw unreadable({ status })
      const text = (key: string) => (typeof body[key] === 'string' ? body[key] : undefined)
      return {
        // What the provider never gives to somebody else: no name, no address.
        subject: String(body['id']),
        username: text('login'),
        display_name: text('name'),
        email: text('email'),
        isEmailVerified: body['email_verified'] === true,
      }
    },
  }
}
