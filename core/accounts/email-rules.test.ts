import { expect, it } from 'vitest'
import { checkEmail, emailForm, emailForms } from './email-rules.ts'

const open = {
  // Stored, but asked of nobody where the plugin that declares them is off.
  EmailDomainRestrictionEnabled: true,
  EmailAliasRestrictionEnabled: true,
  EmailDomainWhitelist: 'one.example, Two.example',
}

/** The code of the refusal, with the field that is to blame. */
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
    const { code, field } = error as { code: string; field?: string }
    expect(field).toBe('email')
    return code
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
  ['ro\u200bot@any.example', off, 'account.invalid_email'],
  [`ada@${'x'.repeat(242)}.example`, off, ''],
  [`ada@${'x'.repeat(243)}.example`, off, 'account.invalid_email'],
  ['ada@any.example', { EmailAliasRestrictionEnabled: true }, ''],
])('judges %s under %j: %j', (address, values, code) => {
  expect(refusalOf(address, values)).toBe(code)
})

it.each([
  [' Ada@Any.Example ', 'ada@any.example', ['ada@any.example']],
  ['Ａda@münchen.example', 'ada@xn--mnchen-3ya.example', ['ada@münchen.example']],
  ['ada@mu\u0308nchen.example', 'ada@xn--mnchen-3ya.example', ['ada@münchen.example']],
  ['åda@any.example', 'åda@any.example', []],
  ['münchen', 'münchen', []],
])('takes %s for the mailbox %s, which may be stored as %j', (address, form, older) => {
  expect(emailForm(address)).toBe(form)
  expect(emailForms(address)).toEqual([...new Set([form, ...older])])
})
