import { defineOptions, Type, type OptionDefinitions } from '#core'
import { isMailAddress } from './mail-address.ts'

type Check = NonNullable<NonNullable<Parameters<typeof defineOptions>[1]>['check']>

const ui = (order: number, more: object = {}) => ({
  'x-ui': { tab: 'system', section: 'mail', order, ...more },
})

export function mailOptions(check: Check): OptionDefinitions {
  return defineOptions(
    {
      SMTPServer: Type.String({ default: '', maxLength: 253, ...ui(10) }),
      SMTPPort: Type.Integer({
        default: 587,
        minimum: 1,
        maximum: 65_535,
        ...ui(20, { presets: [465, 587, 25] }),
      }),
      SMTPSSLEnabled: Type.Boolean({ default: false, ...ui(30) }),
      SMTPAccount: Type.String({ default: '', maxLength: 254, ...ui(40) }),
      SMTPToken: Type.String({
        default: '',
        maxLength: 1024,
        ...ui(50, { secret: true, boundTo: ['SMTPServer', 'SMTPPort'] }),
      }),
      SMTPFrom: Type.String({ default: '', maxLength: 254, ...ui(60) }),
      EmailVerificationEnabled: Type.Boolean({
        default: false,
        'x-ui': { tab: 'system', section: 'sign-in', order: 40 },
      }),
    },
    {
      // Without a mail server nobody would get a code, so nobody could register.
      preconditions: [{ key: 'EmailVerificationEnabled', needs: ['SMTPServer'] }],
      check,
    },
  )
}

/** A name or an address of a host: no scheme, no path, no port. */
const HOST = /^[A-Za-z0-9._:-]{1,253}$/

export function checkMailOption(
  key: string,
  value: unknown,
): { en: string; zh: string } | undefined {
  if (value === '') return undefined
  if (key === 'SMTPServer' && !HOST.test(String(value)))
    return {
      en: 'SMTPServer: the name of the mail server only, such as smtp.example.com',
      zh: 'SMTPServer：只填写邮件服务器的域名，例如 smtp.example.com',
    }
  if (key === 'SMTPFrom' && !isMailAddress(String(value)))
    return {
      en: 'SMTPFrom: one e-mail address, such as noreply@example.com',
      zh: 'SMTPFrom：请填写一个邮箱地址，例如 noreply@example.com',
    }
  return undefined
}
