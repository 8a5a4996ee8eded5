// Why a value is refused, in both languages of the product. JSON schema validators speak English only: their sentence stays, the Chinese one is ours.
import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import type { Text } from '../contract/errors.ts'

const types = new Map([
  ['string', '文本'],
  ['number', '数字'],
  ['integer', '整数'],
  ['boolean', '布尔值'],
  ['object', '对象'],
  ['array', '数组'],
  ['tuple', '数组'],
  ['null', 'null'],
])

/** By the keyword of JSON Schema; `#` is its limit. */
const rules = new Map([
  ['required', '为必填项'],
  ['minimum', '不能小于 #'],
  ['maximum', '不能大于 #'],
  ['exclusiveMinimum', '必须大于 #'],
  ['exclusiveMaximum', '必须小于 #'],
  ['multipleOf', '必须是 # 的倍数'],
  ['minLength', '至少需要 # 个字符'],
  ['maxLength', '不能超过 # 个字符'],
  ['minItems', '至少需要 # 项'],
  ['maxItems', '不能超过 # 项'],
  ['length', '必须正好有 # 项'],
  ['uniqueItems', '存在重复项'],
  ['minProperties', '至少需要 # 个键'],
  ['maxProperties', '不能超过 # 个键'],
  ['additionalProperties', '包含多余的键'],
  ['pattern', '格式不正确'],
  ['format', '格式不正确'],
  ['enum', '不是允许的值'],
])

/** `limit` is what stands beside the keyword in the schema. */
export function faultWords(en: string, keyword: string, limit: unknown): Text {
  return { en, zh: keyword === 'type' ? typeWords(limit) : ruleWords(keyword, limit) }
}

/** The same for what TypeBox found. */
export function valueFaultWords({ type, schema, message }: ValueError): Text {
  const name = ValueErrorType[type]
  const [, rule] = /^(?:Array|Integer|Number|Object|String|Tuple)([A-Z]\w+)$/.exec(name) ?? []
  if (rule === undefined) return faultWords(message, 'type', name.toLowerCase())
  const keyword = rule === 'RequiredProperty' ? 'required' : rule[0]?.toLowerCase() + rule.slice(1)
  return faultWords(message, keyword, limitOf(schema, keyword))
}

function limitOf(schema: TSchema, keyword: string): unknown {
  return keyword === 'length' ? schema['maxItems'] : schema[keyword]
}

function typeWords(wanted: unknown): string {
  const names = (Array.isArray(wanted) ? wanted : [wanted]).map((type) => types.get(String(type)))
  return names.includes(undefined) ? '无效' : `必须是${names.join('或')}`
}

function ruleWords(keyword: string, limit: unknown): string {
  return rules.get(keyword)?.replace('#', String(limit)) ?? '无效'
}
