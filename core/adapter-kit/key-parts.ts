import { ChannelFault } from '../contract/errors.ts'

type Parts<Form extends string, Mark extends string> = Form extends `${string}${Mark}${infer Rest}`
  ? [string, ...Parts<Rest, Mark>]
  : [string]

/** The parts of a channel's key that has a form such as `AppId|SecretId|SecretKey`.
 *  @throws ChannelFault unless each part is there, and no other */
export function keyParts<Form extends string, Mark extends string = '|'>(
  key: string,
  form: Form,
  mark: Mark = '|' as Mark,
): Parts<Form, Mark> {
  const parts = key.split(mark)
  if (parts.includes('') || parts.length !== form.split(mark).length) throw malformedKey(form)
  return parts as Parts<Form, Mark>
}

/** For keys that may have one of several forms.
 *  @param en the forms, as they follow "The key must be" */
export function malformedKey(en: string, zh = en): ChannelFault {
  return new ChannelFault('invalid_channel_key', {
    en: `The key must be ${en}.`,
    zh: `密钥格式应为 ${zh}。`,
  })
}
