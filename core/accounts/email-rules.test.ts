import { expect, it } from 'vitest'
import { checkEmail } from './email-rules.ts'

const open = {
  EmailDomainRestrictionEnabled: false,
  EmailAliasRestrictionEnabled: false,
  EmailDomainWhitelist: 'one.example, Two.example',
}

/** The code of the refusal. */
function refusalOf(address: string, values: Record<string, unknown>): string {
  const known: Record<string, unknown> = { ...open, ...values }
  const options = {
    schemaOf: (key: string) => (key in values ? {} : undefined),
    get: (key: string) => known[key],
  }
  try {
    checkEmail(options as never, address)
    return ''
  } catch (error) {
    return (error as { code: string }).code
  }
}

const off = { EmailDomainRestrictionEnabled: false, EmailAliasRestrictionEnabled: false }
const domains = { ...off, EmailDomainRestrictionEnabled: true }
const aliases = { ...off, EmailAliasRestrictionEnabled: true }

it.each([
  ['a.da+x@any.example', off, ''],
  ['a.da+x@any.example', {}, ''],
  ['ada@any.example', domains, 'account.email_domain'],
  ['ada@TWO.example', domains, ''],
  ['a.da@one.example', domains, ''],
  ['ada@any.example', aliases, ''],
  ['ada+x@any.example', aliases, 'account.email_alias'],
  ['a.da@any.example', aliases, 'account.email_alias'],
  ['ada', off, 'account.invalid_email'],
])('judges %s under %j: %j', (address, values, code) => {
  expect(refusalOf(address, values)).toBe(code)
})
