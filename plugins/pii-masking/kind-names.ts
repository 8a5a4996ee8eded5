import type { Text } from '#core'
import type { CountedKind } from './schema.ts'

const names: Readonly<Record<CountedKind, Text>> = {
  email: { en: 'e-mail address', zh: '电子邮箱' },
  iban: { en: 'bank account', zh: '银行账号' },
  chinese_id: { en: 'identity number', zh: '身份证号' },
  card: { en: 'payment card', zh: '银行卡号' },
  phone: { en: 'phone number', zh: '电话号码' },
  ip: { en: 'IP address', zh: 'IP 地址' },
  custom: { en: "what the operator's own rules name", zh: '站点自定义规则所指内容' },
}

export function kindNames(kinds: readonly CountedKind[]): Text {
  return {
    en: kinds.map((kind) => names[kind].en).join(', '),
    zh: kinds.map((kind) => names[kind].zh).join('、'),
  }
}
