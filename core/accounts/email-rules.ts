import { domainToASCII, domainToUnicode } from 'node:url'
import { optionOr, type OptionService } from '../contract/options.ts'
import { UNSEEN_CHARACTERS } from './account-rules.ts'
import { emailAliasRefused, emailDomainRefused, invalidEmail } from './account-errors.ts'

/** One @, something before it, and a domain with a dot after it. None of the characters that enclose addresses in mail
 *  headers, because `<a@b.c>` would be the same mailbox again. Whether an address works is only known after sending to
 *  it. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@.<>()[\]\\,;:"]+(?:\.[^\s@.<>()[\]\\,;:"]+)+$/
const MAX_ADDRESS = 254

const BEYOND_ASCII = /[^\0-\u007f]/

/** The form in which addresses are stored and compared: one per mailbox, however its characters are composed and its domain is written. */
export function emailForm(text: string): string {
  const email = text.normalize('NFKC').trim().toLowerCase()
  const domainAt = email.lastIndexOf('@') + 1
  const domain = email.slice(domainAt)
  if (domainAt === 0 || !BEYOND_ASCII.test(domain)) return email
  return email.slice(0, domainAt) + domainToASCII(domain)
}

/** The forms in which older versions may have stored the same mailbox. */
export function emailForms(text: string): string[] {
  const email = emailForm(text)
  const domainAt = email.lastIndexOf('@') + 1
  return [...new Set([email, email.slice(0, domainAt) + domainToUnicode(email.slice(domainAt))])]
}

/** Checks the form of the address, then the operator's rules: only domains of the white list, no aliases.
 *  @throws account.invalid_email, account.email_domain, account.email_alias */
export function checkEmail(options: OptionService, address: string): void {
  const email = emailForm(address)
  const isSound = email.length <= MAX_ADDRESS && ADDRESS.test(email)
  if (!isSound || UNSEEN_CHARACTERS.test(email)) throw invalidEmail({}, { field: 'email' })
  const [local = '', domain = ''] = email.split('@')
  if (
    optionOr(options, 'EmailDomainRestrictionEnabled', false) &&
    !whiteList(options).includes(domain)
  )
    throw emailDomainRefused({ domain }, { field: 'email' })
  if (optionOr(options, 'EmailAliasRestrictionEnabled', false) && /[+.]/.test(local))
    throw emailAliasRefused({}, { field: 'email' })
}

function whiteList(options: OptionService): string[] {
  const list = options.get<string>('EmailDomainWhitelist')
  return list.split(',').map((domain) => domain.trim().toLowerCase())
}
