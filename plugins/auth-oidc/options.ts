import { defineOptions, Type, webAddressFault } from '#core'

const section = { tab: 'system', section: 'oidc' }
const address = (order: number) =>
  Type.String({ default: '', maxLength: 2048, 'x-ui': { ...section, order } })

const addresses = new Set([
  'oidc.well_known',
  'oidc.authorization_endpoint',
  'oidc.token_endpoint',
  'oidc.user_info_endpoint',
])

export const oidcOptions = defineOptions(
  {
    'oidc.enabled': Type.Boolean({ default: false, 'x-ui': { ...section, order: 10 } }),
    'oidc.well_known': address(20),
    'oidc.client_id': Type.String({
      default: '',
      maxLength: 512,
      'x-ui': { ...section, order: 30 },
    }),
    'oidc.client_secret': Type.String({
      default: '',
      maxLength: 1024,
      'x-ui': {
        ...section,
        order: 31,
        secret: true,
        boundTo: ['oidc.well_known', 'oidc.token_endpoint'],
      },
    }),
    'oidc.authorization_endpoint': address(60),
    'oidc.token_endpoint': address(61),
    'oidc.user_info_endpoint': address(62),
  },
  {
    preconditions: [{ key: 'oidc.enabled', needs: ['oidc.client_id'] }],
    check: (key, value) => (addresses.has(key) ? webAddressFault(key, String(value)) : undefined),
  },
)
