import type { OptionAction } from '#core'
import type { OidcSite } from './site.ts'

const details = [
  { field: 'issuer', label: { en: 'Issuer', zh: 'Issuer' } },
  {
    field: 'authorization_endpoint',
    label: { en: 'Authorization endpoint', zh: 'Authorization Endpoint' },
  },
  { field: 'token_endpoint', label: { en: 'Token endpoint', zh: 'Token Endpoint' } },
  { field: 'userinfo_endpoint', label: { en: 'User info endpoint', zh: 'User Info Endpoint' } },
] as const

/** Fetches the provider's configuration as a sign-in would, and shows its endpoints or why it could not be fetched. */
export function checkAction(site: OidcSite): OptionAction {
  return {
    id: 'oidc-discovery',
    label: { en: 'Check the configuration', zh: '检查配置' },
    hint: {
      en: 'Fetches what the well-known URL above names, saved or not. No secret is sent.',
      zh: '读取上方 Well-Known URL 的内容，无需先保存；不会发送密钥。',
    },
    options: ['oidc.well_known'],
    async run(values) {
      const address = values.get<string>('oidc.well_known').trim()
      if (address === '') {
        site.endpoints()
        return {
          ok: true,
          message: {
            en: 'All three endpoints are set by hand: there is nothing to fetch.',
            zh: '三个端点均已手动填写，无需读取配置。',
          },
        }
      }
      const found = await site.discover(address)
      return {
        ok: true,
        message: { en: 'The provider has answered.', zh: '已读取到提供方的配置。' },
        details: details.map(({ field, label }) => ({ label, value: found[field] ?? '–' })),
      }
    },
  }
}
