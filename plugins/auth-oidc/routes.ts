import { envelope, type RouteApp } from '#core'
import { discoveryBody } from './schema.ts'
import type { OidcSite } from './site.ts'

/** The settings page shows what is found before anything is saved; older consoles read the address themselves. */
export function oidcRoutes(app: RouteApp, site: OidcSite): void {
  app.post(
    '/api/oidc/discovery',
    { config: { access: 'options' }, schema: { body: discoveryBody } },
    async (request) => {
      const found = await site.discover(request.body.well_known.trim())
      const { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint = '' } = found
      return envelope({ issuer, authorization_endpoint, token_endpoint, userinfo_endpoint })
    },
  )
}
