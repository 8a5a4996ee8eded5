import { definePlugin } from '#core'
import { checkAction } from './check-action.ts'
import { oidcOptions } from './options.ts'
import { oidcProvider } from './provider.ts'
import { OidcSite } from './site.ts'

export default definePlugin({
  id: 'auth-oidc',
  summary: { en: 'Sign-in with any OpenID Connect provider', zh: 'OIDC 登录' },
  options: oidcOptions,
  server(services) {
    const { authProviders, optionActions, options, statusFields } = services
    const site = new OidcSite(services)
    statusFields.add({ id: 'oidc_enabled', value: () => options.get<boolean>('oidc.enabled') })
    statusFields.add({ id: 'oidc_client_id', value: () => options.get<string>('oidc.client_id') })
    // Older consoles build the address of the provider's page from this.
    statusFields.add({
      id: 'oidc_authorization_endpoint',
      value: () => site.authorizationEndpoint(),
    })
    authProviders.add(oidcProvider(services, site))
    optionActions.add(checkAction(site))
    options.onChange((key) => {
      if (key.startsWith('oidc.')) site.forget()
    })
    site.warmUp()
  },
})
